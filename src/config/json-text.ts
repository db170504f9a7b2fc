/**
 * Positions in a JSON text. JSON.parse produces the value; this pass finds the place of a syntax error (V8's own
 * messages differ between versions and often have none), the place of every key, and duplicate keys, which JSON.parse
 * silently drops.
 */
import { pointerPart } from './pointer.ts';

export interface TextProblem {
  readonly offset: number;
  readonly reason: string;
}

export interface JsonPlaces {
  /** Offset of each key or list item, by JSON pointer (`/mcp/writers/0/tool`). */
  readonly places: ReadonlyMap<string, number>;
  readonly problem: TextProblem | null;
}

const MAX_DEPTH = 32;
const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y; // eslint-disable-line no-control-regex
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

class Scan {
  readonly text: string;
  readonly places = new Map<string, number>();
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Throws, so that the recursion below ends at the first problem; caught in `scanJson`. */
  fail(reason: string, offset = this.at): never {
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw { offset, reason } satisfies TextProblem;
  }

  match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  /** The next character that is not blank; empty at the end. */
  peek(): string {
    this.match(SPACE);
    return this.text.charAt(this.at);
  }

  seen(): string {
    const char = this.text.charAt(this.at);
    if (char === '') return 'the file ends here';
    if (char === '/') return 'comments are not allowed';
    return `${JSON.stringify(char)} is not expected here`;
  }
}

function scanKey(scan: Scan, pointer: string): string {
  const offset = scan.at;
  const quoted = scan.match(STRING);
  if (quoted === null) scan.fail(`${scan.seen()}: a key in double quotes is`);
  const place = `${pointer}/${pointerPart(JSON.parse(quoted) as string)}`;
  if (scan.places.has(place)) scan.fail(`the key ${quoted} is given twice`, offset);
  scan.places.set(place, offset);
  if (scan.peek() !== ':') scan.fail(`${scan.seen()}: ":" is`);
  scan.at++;
  return place;
}

/** The parts of an object or a list, through its closing bracket. */
function scanParts(scan: Scan, close: string, part: (index: number) => void): void {
  scan.at++;
  if (scan.peek() === close) {
    scan.at++;
    return;
  }
  for (let index = 0; ; index++) {
    scan.peek();
    part(index);
    const next = scan.peek();
    if (next !== ',' && next !== close) scan.fail(`${scan.seen()}: "," or "${close}" is`);
    scan.at++;
    if (next === close) return;
    if (scan.peek() === close) scan.fail(`a "," before "${close}" is not allowed`);
  }
}

function scanValue(scan: Scan, pointer: string, depth: number): void {
  const char = scan.peek();
  if (depth > MAX_DEPTH) scan.fail('too deeply nested');
  if (char === '{') {
    scanParts(scan, '}', () => {
      const place = scanKey(scan, pointer);
      scanValue(scan, place, depth + 1);
    });
  } else if (char === '[') {
    scanParts(scan, ']', (index) => {
      scan.places.set(`${pointer}/${index}`, scan.at);
      scanValue(scan, `${pointer}/${index}`, depth + 1);
    });
  } else if (scan.match(STRING) === null && scan.match(SCALAR) === null) {
    scan.fail(
      char === '"' ? 'this string is not closed, or has a character that must be escaped' : scan.seen(),
    );
  }
}

export function scanJson(text: string): JsonPlaces {
  const scan = new Scan(text);
  try {
    scanValue(scan, '', 0);
    if (scan.peek() !== '') scan.fail(scan.seen());
    return { places: scan.places, problem: null };
  } catch (problem) {
    if (problem instanceof Error) throw problem;
    return { places: scan.places, problem: problem as TextProblem };
  }
}

/** One-based, with columns in characters, as editors count. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
