/** Where the server is and how it is authenticated: from the configuration alone, never from PG* variables. */
import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import { attempt } from '../../core/attempt.ts';
import { GuardError } from '../../core/error.ts';

export interface PostgresConfig {
  /**
   * `postgres://user:password@host:port/database?sslmode=verify-full&sslrootcert=FILE`; parameter `host=/directory`: a
   * Unix socket. Without a password, `~/.pgpass` is used. `sslmode` is `verify-full` (the default) or `disable`.
   */
  readonly url: string;
  /** The repository's id. */
  readonly repository: string;
  /** Address for LISTEN that bypasses a pooler. Default: `url`. */
  readonly direct_url?: string;
  /** Set if a pooler gives each transaction another connection: then no prepared statements are used. */
  readonly pooled?: boolean;
  readonly connections?: number;
  /** Time limit of one query. */
  readonly query_ms?: number;
  /** How long a query is retried while the server is away. */
  readonly deadline_ms?: number;
  /** Where waiting processes of this machine find each other, to share one connection for LISTEN. Default: each has its own. */
  readonly machine_dir?: string;
  /** Keep idle connections open. */
  readonly held?: boolean;
}

const invalid = (what: string, hint: string): GuardError =>
  new GuardError('GUARD_ERR_CONFIG', `The address of the shared ledger is invalid: ${what}.`, hint);

const FORM = 'Expected postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full&sslrootcert=FILE.';

function tlsOf(parameters: URLSearchParams): ClientConfig['ssl'] {
  const mode = parameters.get('sslmode') ?? 'verify-full';
  if (mode === 'disable') return false;
  if (mode !== 'verify-full')
    throw invalid(
      `sslmode=${mode}`,
      'Use verify-full, which authenticates the server, or disable if the network is trusted.',
    );
  const file = parameters.get('sslrootcert');
  if (file === null) return { rejectUnauthorized: true };
  const ca = attempt(() => readFileSync(file, 'utf8'), null);
  if (ca === null)
    throw invalid(`sslrootcert ${file} cannot be read`, 'Set it to the file with the certificate authority.');
  return { rejectUnauthorized: true, ca };
}

const plain = (text: string): string => attempt(() => decodeURIComponent(text), text);

/** @throws GuardError GUARD_ERR_CONFIG, which never contains the password */
export function addressOf(text: string): ClientConfig & { readonly host: string; readonly port: number } {
  const url = attempt(() => new URL(text), null);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw invalid('it is not a postgres:// URL', FORM);
  const host = url.searchParams.get('host') ?? plain(url.hostname).replace(/^\[(.*)\]$/, '$1');
  const database = plain(url.pathname.slice(1));
  if (host === '' || url.username === '' || database === '')
    throw invalid('it lacks host, user or database', FORM);
  return {
    host,
    port: Number(url.port === '' ? (url.searchParams.get('port') ?? 5432) : url.port),
    user: plain(url.username),
    database,
    ssl: host.startsWith('/') ? false : tlsOf(url.searchParams),
    application_name: 'guard',
    ...(url.password === '' ? {} : { password: plain(url.password) }),
  };
}
