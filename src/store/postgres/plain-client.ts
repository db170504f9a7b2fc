/** The driver's client without options from the environment (PGOPTIONS, PGREPLICATION), which a checkout must not control. */
import pg from 'pg';

export class PlainClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.say('');
  }

  /** Sets session options, which take precedence over those of its role and the database. */
  protected say(options: string): void {
    Object.assign(Reflect.get(this, 'connectionParameters') as object, { options, replication: '' });
  }
}

/**
 * Settings that the functions rely on and that a role can change for itself (`ALTER ROLE … SET`), and thereby one agent
 * for all that log in with it. The statement limit is the one set by `admitRole`.
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

/** Not for use behind a pooler: PgBouncer before 1.20 rejects settings, so there the role's own apply. */
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
