/** The program of the thread in which the engine of a process lives that waits by blocking (store/blocking). */
import { serveThread } from '../blocking/serve.ts';
import { openPostgres, type PostgresConfig } from './open.ts';

serveThread((config) => openPostgres(config as PostgresConfig));
