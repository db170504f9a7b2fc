/** How much of a file a tool showed, and whether it is what is on the disk. */
export interface Shown {
  readonly verdict: 'whole' | 'part' | 'different' | 'unsure';
  /** How much of the file was shown, whether or not it could be proven. */
  readonly extent: 'whole' | 'part' | 'unknown';
  /** First line shown, from 1. These three are given for text only. */
  readonly from_line?: number;
  readonly lines?: number;
  /** On disk. The empty line that the client counts after a final newline is none here. */
  readonly total_lines?: number;
}
