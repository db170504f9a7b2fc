/** A line, and its effects in the form of told.ts. */
export type Row = readonly [line: string, told: readonly string[]];
