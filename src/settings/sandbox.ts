/** The setting `sandbox` as 2.1.330 states it; like the rest of the schema, only what costs the whole file. */
import type { Shape } from './shape.ts';

export const SANDBOX: Shape = {
  fields: {
    enabled: 'boolean',
    failIfUnavailable: 'boolean',
    autoAllowBashIfSandboxed: 'boolean',
    allowUnsandboxedCommands: 'boolean',
    network: {
      fields: {
        allowedDomains: { list: 'string' },
        deniedDomains: { list: 'string' },
        strictAllowlist: 'boolean',
        allowManagedDomainsOnly: 'boolean',
        allowUnixSockets: { list: 'string' },
        allowAllUnixSockets: 'boolean',
        allowLocalBinding: 'boolean',
        allowMachLookup: { list: 'string' },
        httpProxyPort: 'number',
        socksProxyPort: 'number',
        tlsTerminate: { fields: { caCertPath: { like: '[^]' }, caKeyPath: { like: '[^]' } } },
      },
    },
    filesystem: {
      fields: {
        allowWrite: { list: 'string' },
        denyWrite: { list: 'string' },
        denyRead: { list: 'string' },
        allowRead: { list: 'string' },
        allowManagedReadPathsOnly: 'boolean',
        disabled: 'boolean',
      },
    },
    credentials: {
      fields: {
        files: {
          list: { fields: { path: { like: '[^]' }, mode: { one_of: 'deny mask' } }, needs: 'path mode' },
        },
        envVars: {
          list: {
            fields: { name: { like: '^[A-Za-z_][A-Za-z0-9_]*$' }, mode: { one_of: 'deny mask' } },
            needs: 'name mode',
          },
        },
        allowPlaintextInject: 'boolean',
        awsPairs: {
          list: {
            fields: {
              accessKeyIdVar: { like: '^[A-Za-z_][A-Za-z0-9_]*$' },
              secretAccessKeyVar: { like: '^[A-Za-z_][A-Za-z0-9_]*$' },
              sessionTokenVar: { like: '^[A-Za-z_][A-Za-z0-9_]*$' },
            },
            needs: 'accessKeyIdVar secretAccessKeyVar',
          },
        },
        sigv4: {
          fields: {
            streaming: { one_of: 'deny passthrough' },
            presigned: { one_of: 'deny passthrough' },
            sigv4a: { one_of: 'deny passthrough' },
          },
        },
      },
    },
    ignoreViolations: { map: { list: 'string' } },
    enableWeakerNestedSandbox: 'boolean',
    allowNestedUserNamespaces: 'boolean',
    enableWeakerNetworkIsolation: 'boolean',
    allowAppleEvents: 'boolean',
    excludedCommands: { list: 'string' },
    ripgrep: { fields: { command: 'string', args: { list: 'string' } }, needs: 'command' },
  },
};
