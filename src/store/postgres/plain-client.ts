/** The driver's client without what it would take from the environment (PGOPTIONS, PGREPLICATION): no checkout may say that. */
import pg from 'pg';

export class PlainClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.say('');
  }

  /** Of settings for its session: they count more than those of its role, and of the database. */
  protected say(options: string): void {
    Object.assign(Reflect.get(this, 'connectionParameters') as object, { options, replication: '' });
  }
}

/**
 * What a role can alter for itself (`ALTER ROLE … SET`), so one agent for all that log in as it, and what the functions need. A limit
 * for one statement as `admitRole` sets it.
 */
const STEADY = {
  default_transaction_isolation: 'read\\ committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  statement_timeout: '10s',
  idle_in_transaction_session_timeout: '10s',
  idle_session_timeout: '0',
  lock_timeout: '0',
  search_path: 'pg_catalog',
  row_security: 'on',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  bytea_output: 'hex',
  exit_on_error: 'off',
  'plpgsql.extra_errors': 'none',
};

/** A pooler does not take settings (PgBouncer before 1.20): behind one those of the role count. */
export class SteadyClient extends PlainClient {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.say(
      Object.entries(STEADY)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
    );
  }
}
