/**
 * The migrations of the schema, in order. A released migration is never altered: a function that changes gets a new
 * number in its name (`look_2`), and the former one stays for guards that call it.
 */
import { CLOCK_2 } from './clock-2.ts';
import { COMMIT_2 } from './commit-2.ts';
import { COMMITTING } from './committing.ts';
import { KEEPING } from './keeping.ts';
import { LOOK_2 } from './look-2.ts';
import { LOOKING } from './looking.ts';
import { TABLES } from './tables.ts';

export interface Migration {
  readonly version: number;
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, sql: [TABLES, LOOKING, COMMITTING, KEEPING].join('\n') },
  { version: 2, sql: [CLOCK_2, LOOK_2, COMMIT_2].join('\n') },
];

/** The schema version whose functions this guard calls. */
export const SCHEMA_VERSION = 2;
