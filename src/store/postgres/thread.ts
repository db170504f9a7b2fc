/** Program of the thread that runs the engine for a process that waits by blocking (store/blocking). */
import { serveThread } from '../blocking/serve.ts';
import { openPostgres, type PostgresConfig } from './open.ts';

serveThread((config) => openPostgres(config as PostgresConfig));
