/** What is lost when a file's text is decoded. */
export interface TextForm {
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be' | 'binary';
  readonly bom: boolean;
  readonly ends: 'none' | 'lf' | 'crlf' | 'mixed';
}
