/** Turns errors of PostgreSQL, PgBouncer and sockets into guard's. */
import { GuardError } from '../../core/error.ts';
import { SCHEMA_VERSION } from './migrations/index.ts';

/** The server that an error is about. Never includes the password. */
export interface Server {
  readonly host: string;
  readonly port: number;
}

/** `again`: the query may be repeated until the deadline. */
type Meaning = 'again' | 'busy' | 'closed' | 'access' | 'schema' | 'certificate' | 'bug';

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;
const STATES: readonly (readonly [RegExp, Meaning])[] = [
  [/^(?:55P03|57014)$/, 'busy'],
  // Deadlock, serialisation; connection errors; a primary that is now a standby; and what ails the server, not the query:
  // disk, memory, connections (53), shutdown, crash, startup (57), its own files (58) and its own bugs (XX).
  [/^(?:40001|40P01|08...|25006|5[378]...|XX...)$/, 'again'],
  [/^GD503$/, 'closed'],
  [/^(?:28...|3D000|42501|GD404)$/, 'access'],
  [/^(?:42883|3F000|42P01)$/, 'schema'],
  [/^/, 'bug'],
];

const codeIn = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Needed because EPIPE looks like an SQLSTATE: it has five letters too. */
const isServers = (error: unknown): boolean => error instanceof Error && 'severity' in error;

export function meaningOf(error: unknown): Meaning {
  const code = codeIn(error);
  if (CERTIFICATE.test(code) || (error instanceof Error && /does not support SSL/.test(error.message)))
    return 'certificate';
  return (isServers(error) ? STATES.find(([pattern]) => pattern.test(code))?.[1] : undefined) ?? 'again';
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export function engineFailure(error: unknown, { host, port }: Server, waited_ms: number): GuardError {
  const state = codeIn(error);
  const facts = { host, port, ...(state === '' ? {} : { state }) };
  const at = `The shared ledger at ${host}:${port}`;
  const failure = (code: GuardError['code'], what: string, hint: string): GuardError =>
    new GuardError(code, `${at} ${what}`, hint, facts, error);
  switch (meaningOf(error)) {
    case 'busy':
      return failure(
        'GUARD_ERR_BUSY',
        'was busy for too long.',
        'Try again; if it stays busy, look for transactions that do not end.',
      );
    case 'closed':
      return failure(
        'GUARD_ERR_BUSY',
        `was restored to an earlier point: ${wordsOf(error)}.`,
        'Try again when the leases that it no longer knows have ended.',
      );
    case 'access':
      return failure(
        'GUARD_ERR_ENGINE_ACCESS',
        `refuses: ${wordsOf(error)}.`,
        'Check user, password and repository in your configuration.',
      );
    case 'certificate':
      return failure(
        'GUARD_ERR_ENGINE_ACCESS',
        `cannot be trusted: ${wordsOf(error)}.`,
        'sslrootcert must name the authority that signed its certificate, and host must be the name in that certificate.',
      );
    case 'schema':
      return schemaDiffers(null, { host, port }, error);
    case 'bug':
      return failure('GUARD_ERR_INTERNAL', `says: ${wordsOf(error)}.`, 'Report this as a bug of guard.');
    case 'again':
      return new GuardError(
        'GUARD_ERR_ENGINE_AWAY',
        `${at} ${isServers(error) ? 'failed for' : 'did not answer within'} ${Math.round(waited_ms / 100) / 10} s: ${wordsOf(error)}.`,
        'Check that the server is running, has disk space and memory left, and is reachable from this machine.',
        { ...facts, waited_ms },
        error,
      );
  }
}

/** @param schema version of the database's schema; null if it lacks the functions that this guard calls */
export const schemaDiffers = (schema: number | null, { host, port }: Server, cause?: unknown): GuardError =>
  new GuardError(
    'GUARD_ERR_ENGINE_VERSION',
    schema === null || schema < SCHEMA_VERSION
      ? `The database at ${host}:${port} lacks functions of schema ${SCHEMA_VERSION}, which this guard calls.`
      : `The database at ${host}:${port} has schema ${schema}, which lacks functions of ${SCHEMA_VERSION} that this guard calls.`,
    schema === null || schema < SCHEMA_VERSION
      ? 'The owner of the database must run guard fleet migrate with this guard or a newer one.'
      : 'Update guard on this machine.',
    { host, port, schema, known: SCHEMA_VERSION },
    cause,
  );
