/** Queries to the server. They are repeated while it is away, so the server may process one more than once. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { monotonic } from '../../repo/clock.ts';
import { addressOf, type PostgresConfig } from './address.ts';
import { engineFailure, meaningOf, schemaDiffers, type Server } from './engine-failure.ts';
import { PlainClient, SteadyClient } from './plain-client.ts';

const CONNECTIONS = 2;
const QUERY_MS = 5_000;
/** Time for a connection to a distant server, however soon its caller gives up: TLS and SCRAM take six round trips. */
const LEAST_QUERY_MS = 1_000;
const DEADLINE_MS = 15_000;
const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 500;

/** The answer of `guard.hello_1`. */
export interface Greeting {
  readonly schema: number;
  /** The channel on which it notifies. */
  readonly channel: string;
}

export interface Line {
  readonly server: Server;
  readonly deadline_ms: number;
  /**
   * Calls a function of the schema and returns the single row it answers with.
   * @throws GuardError
   */
  call(name: string, values: readonly unknown[]): Promise<Readonly<Record<string, unknown>>>;
  end(): Promise<void>;
}

export function dial(config: PostgresConfig): Line {
  const { host, port, ...address } = addressOf(config.url);
  const {
    connections = CONNECTIONS,
    deadline_ms = DEADLINE_MS,
    // A server that is stopped accepts connections and answers nothing, so the deadline has to end the query itself.
    query_ms = Math.max(LEAST_QUERY_MS, Math.min(QUERY_MS, deadline_ms)),
    pooled = false,
    held = false,
  } = config;
  const pool = new pg.Pool({
    host,
    port,
    ...address,
    max: connections,
    Client: pooled ? PlainClient : SteadyClient,
    query_timeout: query_ms,
    connectionTimeoutMillis: query_ms,
    keepAlive: true,
    ...(held ? { idleTimeoutMillis: 0 } : {}),
    allowExitOnIdle: true,
  });
  // Idle connections may break; the next query opens another.
  pool.on('error', () => undefined);
  const once = async (
    name: string,
    values: readonly unknown[],
  ): Promise<Readonly<Record<string, unknown>>> => {
    const text = `SELECT * FROM guard.${name}(${values.map((_, at) => `$${at + 1}`).join(',')})`;
    const { rows } = await pool.query<Record<string, unknown>>({
      text,
      values: [...values],
      ...(pooled ? {} : { name }),
    });
    return rows[0] ?? {};
  };
  /** Null if there is no schema at all. */
  const schema = async (): Promise<number | null> => {
    const answer = await once('hello_1', [config.repository]).catch(
      (): Readonly<Record<string, unknown>> => ({}),
    );
    return (answer['hello_1'] as Greeting | undefined)?.schema ?? null;
  };
  return {
    server: { host, port },
    deadline_ms,
    async call(name, values) {
      const begun_ms = monotonic();
      for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = Math.min(pause_ms * 2, LAST_PAUSE_MS)) {
        try {
          return await once(name, values);
        } catch (error) {
          const waited_ms = monotonic() - begun_ms;
          const meaning = meaningOf(error);
          if (meaning === 'schema') throw schemaDiffers(await schema(), { host, port }, error);
          if (meaning !== 'again' || waited_ms + pause_ms > deadline_ms)
            throw engineFailure(error, { host, port }, waited_ms);
        }
        await sleep(pause_ms * (0.5 + Math.random() / 2));
      }
    },
    end: () => pool.end(),
  };
}
