/** The driver's client without what it would take from the environment (PGOPTIONS, PGREPLICATION): no checkout may say that. */
import pg from 'pg';

export class PlainClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    Object.assign(Reflect.get(this, 'connectionParameters') as object, { options: '', replication: '' });
  }
}
