/** A PostgreSQL server for tests, in a directory that is removed afterwards. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { memoryOr } from '../../claude/driver/memory.ts';
import { once, OWNER } from './once.ts';
import { asUser, BIN, freePort, runAsUser, say, startWatched } from './programs.ts';

export const PASSWORD = 'p@ss:w/rd';

export interface Cluster {
  readonly dir: string;
  readonly port: number;
  readonly pid: number;
  /** The options that the server was started with. */
  readonly options?: readonly string[];
}

const SETTINGS = [
  // Nothing has to survive a power failure, but everything has to survive kill -9.
  'fsync=off',
  'full_page_writes=off',
  'max_connections=200',
  'autovacuum_naptime=10min',
  'listen_addresses=127.0.0.1',
  'password_encryption=scram-sha-256',
  'lc_messages=C',
];

/** A short path, because socket names are limited. In memory, which survives the server's death. */
export function makeServerDir(): string {
  const dir = mkdtempSync(join(memoryOr('/tmp'), 'guard-pg-'));
  chmodSync(dir, 0o755);
  if (process.getuid?.() === 0) {
    const [uid = '0', gid = '0'] = runAsUser('sh', ['-c', 'id -u; id -g']).trim().split('\n');
    chownSync(dir, Number(uid), Number(gid));
  }
  return dir;
}

/** Under root, only its owner may read a key, so that user writes the server's files. */
export function writeForServer(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  const { uid, gid } = statSync(path.slice(0, path.lastIndexOf('/')));
  chownSync(path, uid, gid);
}

/** The result of `initdb`, made once per run: it takes 0.7 s of CPU, a copy a tenth of that. */
const emptyServer = () =>
  once('initdb', () => {
    const dir = makeServerDir();
    const how = [
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ];
    runAsUser(`${BIN}/initdb`, ['-D', `${dir}/data`, ...how]);
    // The watcher removes it even if the run is killed.
    startWatched(asUser('sleep', ['86400']), dir, OWNER);
    return { dir };
  });

export interface ClusterPlan {
  readonly settings?: readonly string[];
  /** Files of the server's directory, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Lines of pg_hba.conf, before those that admit the tests. */
  readonly hba?: readonly string[];
  /** The process whose end ends the server. */
  readonly owner?: number;
}

export async function startCluster({
  settings = [],
  files = {},
  hba = [],
  owner = process.pid,
}: ClusterPlan = {}): Promise<Cluster> {
  const dir = makeServerDir();
  const data = `${dir}/data`;
  const { dir: empty } = await emptyServer();
  runAsUser('cp', ['-a', `${empty}/data`, data]);
  for (const [name, text] of Object.entries(files)) writeForServer(`${data}/${name}`, text);
  const rules = [
    ...hba,
    'local all all trust',
    'host all postgres 127.0.0.1/32 trust',
    'host all all 127.0.0.1/32 scram-sha-256',
  ];
  writeForServer(`${data}/pg_hba.conf`, `${rules.join('\n')}\n`);
  return startIn(dir, settings, owner);
}

/** Starts a server whose data directory already exists. */
export async function startIn(dir: string, settings: readonly string[], owner: number): Promise<Cluster> {
  const data = `${dir}/data`;
  const port = await freePort();
  const options = [...SETTINGS, `port=${port}`, `unix_socket_directories=${dir}`, ...settings].flatMap(
    (one) => ['-c', one],
  );
  startWatched(asUser(`${BIN}/postgres`, ['-D', data, ...options]), dir, owner);
  const pid = await untilReady(dir, port);
  return { dir, port, pid, options };
}

/** Stops it as a crash would; its directory stays, for `startAgain`. */
export async function haltCluster({ dir }: Cluster): Promise<void> {
  process.kill(Number(readFileSync(`${dir}/data/postmaster.pid`, 'utf8').split('\n')[0]), 'SIGQUIT');
  for (let tries = 0; tries < 400 && existsSync(`${dir}/data/postmaster.pid`); tries++) await sleep(25);
}

export async function startAgain({ dir, port, options = [] }: Cluster): Promise<Cluster> {
  startWatched(asUser(`${BIN}/postgres`, ['-D', `${dir}/data`, ...options]), dir, process.pid);
  return { dir, port, options, pid: await untilReady(dir, port) };
}

async function untilReady(dir: string, port: number): Promise<number> {
  const until_ms = Date.now() + 60_000;
  for (;;) {
    try {
      const client = await connectTo({ dir, port, pid: 0 });
      const { rows } = await client.query<{ version: string }>('SELECT version()');
      await client.end();
      say(`the shared ledger is tested on ${rows[0]?.version.split(' on ')[0] ?? '?'}`);
      return Number(readFileSync(`${dir}/data/postmaster.pid`, 'utf8').split('\n')[0]);
    } catch (error) {
      if (Date.now() > until_ms) throw new Error(`no server: ${logOf(dir)}`, { cause: error });
    }
    await sleep(50);
  }
}

const logOf = (dir: string): string =>
  existsSync(`${dir}/log`) ? readFileSync(`${dir}/log`, 'utf8').slice(-2000) : '';

/** Connects as the superuser, over the socket. */
export async function connectTo({ dir, port }: Cluster, database = 'postgres'): Promise<pg.Client> {
  const client = new pg.Client({ host: dir, port, user: 'postgres', database, ssl: false });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

export async function asOwner<T>(
  cluster: Cluster,
  use: (client: pg.Client) => Promise<T>,
  database?: string,
): Promise<T> {
  const client = await connectTo(cluster, database);
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Stops the server and removes its directory. */
export async function stopCluster(cluster: Cluster): Promise<void> {
  const { dir } = cluster;
  if (existsSync(`${dir}/data/postmaster.pid`)) await haltCluster(cluster);
  rmSync(dir, { recursive: true, force: true });
}
