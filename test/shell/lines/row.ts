/** A line, and what it would do in the form of told.ts. */
export type Row = readonly [line: string, told: readonly string[]];
