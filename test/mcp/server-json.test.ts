/** The manifest for the MCP registry that `scripts/server-json.mjs` writes for whoever publishes guard. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { PACKAGE, text } from '../install/scratch.ts';

const URL = 'https://example.org/you/guard';
const made = (...argv: readonly string[]) =>
  spawnSync(process.execPath, [join(PACKAGE, 'scripts/server-json.mjs'), ...argv], { encoding: 'utf8' });

describe('server.json', () => {
  it('names the package of the publisher in this version, and a command that guard has', () => {
    const { status, stdout } = made('io.github.you/guard', '@you/guard', URL);
    const { version } = JSON.parse(text(join(PACKAGE, 'package.json'))) as { version: string };
    expect(status).toBe(0);
    const server = JSON.parse(stdout) as { packages: { packageArguments: { value: string }[] }[] };
    expect(server).toMatchObject({
      name: 'io.github.you/guard',
      version,
      repository: { url: URL, source: 'github' },
      packages: [{ registryType: 'npm', identifier: '@you/guard', version, transport: { type: 'stdio' } }],
    });
    const [started] = server.packages.flatMap(({ packageArguments }) => packageArguments);
    expect(COMMANDS.map(({ name }) => name)).toContain(started?.value);
  });

  it.each([[[]], [['guard', '@you/guard', URL]], [['io.github.you/guard', '@you/guard']]])(
    'is refused for %j: a registry takes a namespace, a package and a repository',
    (argv) => {
      const { status, stdout, stderr } = made(...argv);
      expect([status, stdout]).toEqual([64, '']);
      expect(stderr).toContain('usage:');
    },
  );
});
