/** Escapes one part of a JSON pointer (RFC 6901, section 3). */
export function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
