/** The servers of docs/fleet/, started from those very files with PostgreSQL as it is installed here. */
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { attempt } from '../../src/core/attempt.ts';
import { PACKAGE } from '../claude/driver.ts';
import { until } from '../mcp/client.ts';
import { makeCertificates } from '../store/postgres/certificates.ts';
import { makeServerDir, writeForServer } from '../store/postgres/cluster.ts';
import { asUser, BIN, freePort, runAsUser, startWatched } from '../store/postgres/programs.ts';

export const PASSWORDS = {
  ADMIN_PASSWORD: String.raw`ad'min \ 1`,
  AGENTS_PASSWORD: 'agents: $2',
  REPLICATOR_PASSWORD: 'replicator 3',
};

export const FILES_OF_PAGE = ['postgresql.conf', 'pg_hba.conf', 'roles.sh', 'standby.sh'];

const PATH = `${BIN ?? ''}:/usr/bin:/bin`;
const STEP = "SELECT coalesce(max(sync_state), 'away') FROM pg_stat_replication";

export interface Servers {
  readonly port: number;
  /** Certificate of the authority that signed theirs. */
  readonly root_cert: string;
  /** Runs a query with `psql` as the server's own account. */
  ask(sql: string): string;
}

/** A primary with a standby in sync. @param names in the servers' certificate; clients use the first */
export async function startServers(names: readonly [string, ...string[]]): Promise<Servers> {
  const dir = makeServerDir();
  // The servers still write while it goes, and end because it is gone.
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const { server_cert, server_key } = makeCertificates(dir, names);
  writeForServer(`${dir}/server.crt`, server_cert);
  writeForServer(`${dir}/server.key`, server_key);
  for (const name of FILES_OF_PAGE) copyOfPage(dir, name);
  const [port, second] = [await freePort(), await freePort()];
  const primary = ['-D', `${dir}/primary`, ...optionsOf(dir, port)];
  runAsUser(`${BIN}/initdb`, ['-D', `${dir}/primary`, '-U', 'postgres', '-A', 'peer', '--no-sync']);
  const alone = primary.slice(2).map((one) => `'${one}'`);
  const control = (what: string): string =>
    runAsUser('sh', ['-c', `pg_ctl() { ${BIN}/pg_ctl -D ${dir}/primary -s -w "$@"; }; ${what} >&2`]);
  control(`pg_ctl -l ${dir}/log -o "${alone.join(' ')} -c listen_addresses=" start`);
  runAsUser('env', [...given({ ...PASSWORDS, PGHOST: dir, PGPORT: String(port), PATH }), `${dir}/roles.sh`]);
  control('pg_ctl stop');
  startWatched(asUser(`${BIN}/postgres`, primary), dir, process.pid);
  const { REPLICATOR_PASSWORD } = PASSWORDS;
  const to = { PRIMARY_HOST: names[0].replace(/^\w+:/, ''), PRIMARY_PORT: String(port) };
  const around = given({
    PGDATA: `${dir}/standby`,
    ...to,
    ROOT_CERT: `${dir}/ca.crt`,
    REPLICATOR_PASSWORD,
    PATH,
  });
  const standby = [`${dir}/standby.sh`, `${BIN}/postgres`, ...optionsOf(dir, second)];
  startWatched(asUser('env', [...around, ...standby]), dir, process.pid);
  const ask = (sql: string): string =>
    runAsUser(`${BIN}/psql`, ['-h', dir, '-p', String(port), '-d', 'postgres', '-Atc', sql]).trim();
  await until(() => attempt(() => ask(STEP), 'not yet') === 'sync', 60_000);
  return { port, root_cert: `${dir}/ca.crt`, ask };
}

function copyOfPage(dir: string, name: string): void {
  writeForServer(`${dir}/${name}`, readFileSync(join(PACKAGE, 'docs/fleet', name), 'utf8'));
  if (name.endsWith('.sh')) chmodSync(`${dir}/${name}`, 0o700);
}

export const optionsOf = (dir: string, port: number): readonly string[] =>
  [
    ...[`config_file=${dir}/postgresql.conf`, `hba_file=${dir}/pg_hba.conf`, `port=${port}`],
    ...[
      `ssl_cert_file=${dir}/server.crt`,
      `ssl_key_file=${dir}/server.key`,
      `unix_socket_directories=${dir}`,
    ],
  ].flatMap((one) => ['-c', one]);

const given = (env: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`);
