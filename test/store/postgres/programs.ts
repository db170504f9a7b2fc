/** The programs of PostgreSQL and PgBouncer on this machine. GUARD_POSTGRES_REQUIRED=1 turns skips into failures. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';

/** Debian has one directory per version; elsewhere they are on PATH. */
const DEBIAN = '/usr/lib/postgresql';

function newestOfDebian(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number).filter(Number.isFinite) : [];
  const found = versions.sort((a, b) => b - a).find((one) => existsSync(`${DEBIAN}/${one}/bin/initdb`));
  return found === undefined ? null : `${DEBIAN}/${found}/bin`;
}

function which(program: string): string | null {
  const dirs = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  const dir = dirs.find((one) => one !== '' && existsSync(`${one}/${program}`));
  return dir === undefined ? null : dir;
}

/** GUARD_POSTGRES_BIN names another version's directory. */
export const BIN = process.env['GUARD_POSTGRES_BIN'] ?? newestOfDebian() ?? which('initdb');
const POOLER_DIR = which('pgbouncer');
export const POOLER = POOLER_DIR === null ? null : `${POOLER_DIR}/pgbouncer`;

const isRequired = process.env['GUARD_POSTGRES_REQUIRED'] === '1';

/** Whether tests that need it can run; reports what is missing. */
export function has(found: string | null, name: string): boolean {
  if (found !== null) return true;
  const what = `${name} is not installed: tests of the shared ledger do not run (Debian: apt-get install ${name})`;
  if (isRequired) throw new Error(`GUARD_POSTGRES_REQUIRED: ${what}`);
  console.warn(`SKIPPED: ${what}`);
  return false;
}

export const hasPostgres = (): boolean => has(BIN, 'postgresql');
/** Packages with only a server lack pg_dump and pg_basebackup. */
export const hasClients = (): boolean =>
  hasPostgres() && has(existsSync(`${BIN}/pg_basebackup`) ? BIN : null, 'postgresql-client');
export const hasPooler = (): boolean => hasPostgres() && has(POOLER, 'pgbouncer');

/** Neither of them runs as root; Debian's packages create a user for it. */
const AS_USER =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--'] : [];

export const asUser = (program: string, args: readonly string[]): [string, string[]] => {
  const [first = '', ...rest] = [...AS_USER, program, ...args];
  return [first, rest];
};

export function runAsUser(program: string, args: readonly string[]): string {
  const [first, rest] = asUser(program, args);
  return execFileSync(first, rest, { cwd: '/', encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/**
 * A server that ends with the process of this id: a watcher lives as long as that process, then kills the server and
 * removes its directory.
 */
export function startWatched(command: [string, string[]], dir: string, owner: number): ChildProcess {
  const script = `
    "$@" >>"$DIR/log" 2>&1 </dev/null &
    server=$!
    echo "$server" >"$DIR/pid"
    while kill -0 "$OWNER" 2>/dev/null && kill -0 "$server" 2>/dev/null; do sleep 5; done
    kill -QUIT "$server" 2>/dev/null
    # PgBouncer knows no such signal.
    for _ in 1 2 3 4; do kill -0 "$server" 2>/dev/null && sleep 0.5; done
    kill -KILL "$server" 2>/dev/null
    wait "$server" 2>/dev/null
    kill -0 "$OWNER" 2>/dev/null || rm -rf "$DIR"`;
  const [program, args] = command;
  const child = spawn('sh', ['-c', script, 'watched', program, ...args], {
    cwd: '/',
    env: { PATH: process.env['PATH'], DIR: dir, OWNER: String(owner), LC_ALL: 'C' },
    stdio: 'ignore',
    detached: true,
  });
  child.unref();
  return child;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

export const say = (line: string): void => void writeSync(2, `${line}\n`);
