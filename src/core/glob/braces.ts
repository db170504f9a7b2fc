/** Braces as in a shell: `{a,b}` with at least one comma, nested; other braces are literal. */

/** @returns `null` if there are more alternatives, or longer ones, than allowed */
export function expandGlobBraces(text: string, most: number, most_chars: number): string[] | null {
  const whole: string[] = [];
  // A stack instead of recursion: a pattern made only of braces nests as deep as it is long.
  const open = [text];
  let chars = 0;
  for (;;) {
    const next = open.pop();
    if (next === undefined) return whole;
    const group = firstGroup(next);
    if (group === null) {
      whole.push(next);
      chars += next.length;
      if (whole.length > most || chars > most_chars) return null;
      continue;
    }
    const { from, to, parts } = group;
    if (open.length + parts.length + whole.length > most) return null;
    const made = parts.map((part) => next.slice(0, from) + part + next.slice(to + 1));
    open.push(...made.reverse());
  }
}

interface Group {
  readonly from: number;
  readonly to: number;
  readonly parts: readonly string[];
}

interface Opened {
  readonly at: number;
  readonly commas: number[];
}

/** The first group with a comma that is not inside another such group. */
function firstGroup(text: string): Group | null {
  const stack: Opened[] = [];
  let found: Group | null = null;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (char === '[') at = endOfSet(text, at);
    else if (char === '{') stack.push({ at, commas: [] });
    else if (char === ',') stack.at(-1)?.commas.push(at);
    else if (char === '}') {
      const group = closed(text, stack.pop(), at);
      // Groups close from the inside out: an outer group with commas replaces any found inside it.
      if (group !== null && (found === null || group.from < found.from)) found = group;
      if (stack.length === 0 && found !== null) return found;
    }
  }
  return found;
}

function closed(text: string, opened: Opened | undefined, to: number): Group | null {
  if (opened === undefined || opened.commas.length === 0) return null;
  const cuts = [opened.at, ...opened.commas, to];
  const parts = cuts.slice(1).map((cut, n) => text.slice((cuts[n] ?? 0) + 1, cut));
  return { from: opened.at, to, parts };
}

/** A comma in `[,]` is a character of a set. Returns the position of its `]`, or that of `[` if it is not a set. */
export function endOfSet(text: string, at: number): number {
  let from = at + 1;
  if (text.charAt(from) === '!' || text.charAt(from) === '^') from++;
  if (text.charAt(from) === ']') from++;
  for (let end = from; end < text.length; end++) {
    if (text.charAt(end) === '\\') end++;
    else if (text.charAt(end) === '/') return at;
    else if (text.charAt(end) === ']') return end;
  }
  return at;
}
