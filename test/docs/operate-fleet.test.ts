/** docs/operate-fleet.md, followed as a newcomer would: its files, and two machines that share a lock over two networks. */
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Env, GUARD, PACKAGE, type Scratch, scratch } from '../claude/driver.ts';
import { type Finished, runNow } from '../claude/driver/process.ts';
import { hasPostgres } from '../store/postgres/programs.ts';
import { FILES_OF_PAGE, optionsOf, PASSWORDS, type Servers, startServers } from './fleet-servers.ts';
import { hasNetworks, network, type Network } from './networks.ts';

const NAMED = '.claude/guard-fleet.json';

const GRANTED = `SELECT string_agg(roleid::regrole::text, ',' ORDER BY roleid::regrole::text) FROM pg_auth_members
  WHERE member = 'guard_admin'::regrole AND admin_option`;

interface Machine {
  readonly at: Scratch;
  guard(env: Env, ...args: readonly string[]): Finished;
}

const urlOf = ({ port, root_cert }: Servers, role: string, { server }: Network): string =>
  `postgres://${role}@${server}:${port}/guard?sslmode=verify-full&sslrootcert=${encodeURIComponent(root_cert)}`;

/** A clone and its user, whose commands run on that network. Passwords are in `~/.pgpass`, as on the page. */
function machine(servers: Servers, net: Network): Machine {
  const at = scratch({ files: { 'a.txt': '1\n' }, apart: true });
  const file = join(at.env['XDG_CONFIG_HOME'] ?? join(at.home, '.config'), 'guard/config.json');
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ engine: urlOf(servers, 'agents', net) }));
  const { ADMIN_PASSWORD, AGENTS_PASSWORD } = PASSWORDS;
  const known = [`guard_admin:${ADMIN_PASSWORD}`, `agents:${AGENTS_PASSWORD}`].map((line) =>
    line
      .replaceAll('\\', '\\\\')
      .replace(/:(.*)$/, (_, password: string) => `:${password.replaceAll(':', '\\:')}`),
  );
  fs.writeFileSync(join(at.home, '.pgpass'), known.map((line) => `*:*:*:${line}\n`).join(''), {
    mode: 0o600,
  });
  const [program = '', ...before] = net.inside;
  return {
    at,
    guard: (env, ...args) =>
      runNow({
        ...{ program, args: [...before, process.execPath, GUARD, ...args], cwd: at.root, apart: true },
        env: { ...at.env, ...env },
      }),
  };
}

test('the compose file gives the servers the files of this page and the options with which they are tested', () => {
  const compose = fs.readFileSync(join(PACKAGE, 'docs/fleet/compose.yaml'), 'utf8');
  const mounted = [...compose.matchAll(/^ +- \.\/(\S+?):\S+:ro$/gm)].map(([, name = '']) => name);
  expect([...new Set(mounted)].sort()).toEqual([...FILES_OF_PAGE, 'tls'].sort());
  const options = [...compose.matchAll(/^ +- -c(\w+)=/gm)].map(([, name = '']) => name);
  expect(options.filter((name) => !optionsOf('/x', 1).some((one) => one.startsWith(`${name}=`)))).toEqual([]);
  expect(options).toHaveLength(4);
});

describe.skipIf(!hasPostgres() || !hasNetworks())('a newcomer with two machines', () => {
  test('shares a lock between them over TLS, with a standby that acknowledges it', async () => {
    const begun_ms = performance.now();
    const nets = [network(1), network(2)] as const;
    const servers = await startServers([`IP:${nets[0].server}`, `IP:${nets[1].server}`]);
    // Only servers newer than the ones some tests run on require this.
    expect(servers.ask(GRANTED)).toBe('agents,pg_read_all_stats');
    const [one, two] = [machine(servers, nets[0]), machine(servers, nets[1])];
    const begun = one.guard({}, 'fleet', 'init', urlOf(servers, 'guard_admin', nets[0]));
    expect(begun, begun.stderr).toMatchObject({ exit: 0 });
    two.at.put(NAMED, one.at.read(NAMED));
    expect(two.guard({}, 'fleet', 'join')).toMatchObject({ exit: 0 });
    const tried = [one, two].map((at, n) =>
      at.guard({ CLAUDE_CODE_SESSION_ID: `agent-${n}` }, 'lock', 'try', 'a.txt', '--json'),
    );
    expect(tried.map(({ exit }) => exit)).toEqual([0, 1]);
    const took_ms = performance.now() - begun_ms;
    console.warn(`from no server to a lock that two machines share: ${Math.round(took_ms / 100) / 10} s`);
    // The five minutes of the page, of which reading and typing need most.
    expect(took_ms).toBeLessThan(150_000);
    const status = JSON.parse(two.guard({}, 'fleet', 'status', '--json').stdout) as {
      machines: { up: boolean }[];
    };
    expect(status.machines.map(({ up }) => up)).toEqual([true, true]);
  });
});
