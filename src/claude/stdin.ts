/** The content of stdin. If `whole` is false, it was larger than the limit, and only its beginning and its end are here. */
export interface Stdin {
  readonly text: string;
  readonly whole: boolean;
  readonly tail: string;
}

/** A larger event is not parsed: 12 MB of JSON cost 151 ms and 90 MB of memory (measured). */
export const STDIN_LIMIT_BYTES = 16 * 1024 * 1024;
