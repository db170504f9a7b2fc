/** The program's file in bin/: its name, and the earlier one, which records, permission rules and links still contain. */
export const PROGRAMS = ['guard.cjs', 'guard.mjs'] as const;

/** A recorded command line, with the program's current name. */
export const inTodaysName = (command: string): string => command.replace(/\bguard\.mjs('?)$/, 'guard.cjs$1');
