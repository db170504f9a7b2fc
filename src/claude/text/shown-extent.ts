/** How much of a file a tool showed, and whether it matches the disk. */
export interface Shown {
  readonly verdict: 'whole' | 'part' | 'different' | 'unsure';
  /** How much of the file was shown, whether or not that could be proven. */
  readonly extent: 'whole' | 'part' | 'unknown';
  /** The first line shown, from 1. These three are given only for text. */
  readonly from_line?: number;
  readonly lines?: number;
  /** The number of lines on disk, without the empty line that the client counts after a final newline. */
  readonly total_lines?: number;
}
