import type { five } from './one.ts';

export type Same = typeof five;
export type Other = number;
export type { five } from './one.ts';
