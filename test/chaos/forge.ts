/** Ledger lines that are changed and sealed again, as an attacker who knows the format would do. */
import { crc32, hex8 } from '../../src/store/crc32.ts';

export interface Line {
  readonly start: number;
  readonly end: number;
  readonly lastOfCommit: boolean;
}

export function line(whole: Buffer, start: number): Line {
  const end = whole.indexOf(10, start) + 1;
  return { start, end, lastOfCommit: !whole.toString('utf8', start, end).includes('"more":') };
}

export function linesOf(whole: Buffer): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < whole.length; start = lines.at(-1)?.end ?? whole.length)
    lines.push(line(whole, start));
  return lines;
}

function sealed(text: string): { readonly text: string; readonly crc: string } {
  const body = Buffer.from(text.slice(0, text.lastIndexOf(',"crc":"')));
  const crc = hex8(crc32(body));
  return { text: `${body.toString('utf8')},"crc":"${crc}"}\n`, crc };
}

/** Changes line `which` and seals it; with `chain`, seals every later line too, so that only the change is wrong. */
export function forged(
  whole: Buffer,
  which: number,
  change: (text: string) => string,
  chain = false,
): Buffer {
  let prev: string | undefined;
  const parts = linesOf(whole).map(({ start, end }, at) => {
    let text = whole.toString('utf8', start, end);
    if (at === which) text = change(text);
    if (chain && prev !== undefined) text = text.replace(/"prev":"[0-9a-f]{8}"/, `"prev":"${prev}"`);
    if (at !== which && !chain) return text;
    const made = sealed(text);
    prev = made.crc;
    return made.text;
  });
  return Buffer.from(parts.join(''));
}
