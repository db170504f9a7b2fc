/** Each id once: an agent that holds a file twice, also for a command of its own, is waited for twice. */
export const withoutRepeats = <T extends { readonly id: string }>(rows: readonly T[]): T[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];
