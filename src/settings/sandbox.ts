/** The setting `sandbox` as 2.1.330 defines it; like the rest of the schema, only faults that void the whole file. */
import { each, type Shape } from './shape.ts';

const WORDS: Shape = { list: 'string' };
const NOT_EMPTY: Shape = { like: '[^]' };
const MODE: Shape = { one_of: 'deny mask' };
const VARIABLE: Shape = { like: '^[A-Za-z_][A-Za-z0-9_]*$' };

export const SANDBOX: Shape = {
  fields: {
    ...each(
      'boolean',
      'enabled failIfUnavailable autoAllowBashIfSandboxed allowUnsandboxedCommands enableWeakerNestedSandbox ' +
        'allowNestedUserNamespaces enableWeakerNetworkIsolation allowAppleEvents',
    ),
    network: {
      fields: {
        ...each(WORDS, 'allowedDomains deniedDomains allowUnixSockets allowMachLookup'),
        ...each('boolean', 'strictAllowlist allowManagedDomainsOnly allowAllUnixSockets allowLocalBinding'),
        ...each('number', 'httpProxyPort socksProxyPort'),
        tlsTerminate: { fields: each(NOT_EMPTY, 'caCertPath caKeyPath') },
      },
    },
    filesystem: {
      fields: {
        ...each(WORDS, 'allowWrite denyWrite denyRead allowRead'),
        ...each('boolean', 'allowManagedReadPathsOnly disabled'),
      },
    },
    credentials: {
      fields: {
        files: { list: { fields: { path: NOT_EMPTY, mode: MODE }, needs: 'path mode' } },
        envVars: { list: { fields: { name: VARIABLE, mode: MODE }, needs: 'name mode' } },
        allowPlaintextInject: 'boolean',
        awsPairs: {
          list: {
            fields: each(VARIABLE, 'accessKeyIdVar secretAccessKeyVar sessionTokenVar'),
            needs: 'accessKeyIdVar secretAccessKeyVar',
          },
        },
        sigv4: { fields: each({ one_of: 'deny passthrough' }, 'streaming presigned sigv4a') },
      },
    },
    ignoreViolations: { map: WORDS },
    excludedCommands: WORDS,
    ripgrep: { fields: { command: 'string', args: WORDS }, needs: 'command' },
  },
};
