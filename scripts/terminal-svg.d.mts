export interface TerminalRow {
  readonly text: string;
  readonly ink?: 'heading' | 'bad' | 'good' | 'dim' | 'plain';
}

export interface TerminalPicture {
  readonly title: string;
  readonly says: string;
  readonly rows: readonly TerminalRow[];
  readonly columns: number;
}

export function terminalSvg(picture: TerminalPicture): string;
