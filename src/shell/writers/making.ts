// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Compilers and generators, loaded if a line names one of them (names.ts). */
import type { Call, Reading, Writer } from '../call.ts';
import { COMPILERS } from './compilers.ts';
import { djangoMigrations, SCOPE_WRITERS } from './scopes.ts';

export const compilers = (name: string): Writer | undefined => COMPILERS[name];
export const scopes = (name: string): Writer | undefined => SCOPE_WRITERS[name];

export const migrations = (call: Call, args: Call['args']): Reading | null => djangoMigrations(call, args);
