/** `<crc32> <JSON>\n`: a line with a checksum. */
import { crc32, hex8 } from './crc32.ts';

export function sealLine(content: object): string {
  const json = JSON.stringify(content);
  return `${hex8(crc32(Buffer.from(json)))} ${json}\n`;
}

/** Null if the line is not intact. */
export function unsealLine(line: string | null): Readonly<Record<string, unknown>> | null {
  const json = line?.slice(9, -1) ?? '';
  if (line?.slice(0, 8) !== hex8(crc32(Buffer.from(json)))) return null;
  return JSON.parse(json) as Readonly<Record<string, unknown>>;
}
