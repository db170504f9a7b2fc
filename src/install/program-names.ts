/** The program's file in bin/: its name, and the earlier one, which records, permission rules and links still have. */
export const PROGRAMS = ['guard.cjs', 'guard.mjs'] as const;

/** A command line on record, with the program under its name of today. */
export const inTodaysName = (command: string): string => command.replace(/\bguard\.mjs('?)$/, 'guard.cjs$1');
