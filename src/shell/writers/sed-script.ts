/** Parses a sed script far enough to find the files that it writes and the commands that it runs. */

export interface SedEffects {
  readonly writes: readonly string[];
  readonly lines: readonly string[];
}

/** Parsing ends at text that is not sed; what was found before it counts. */
export function sedEffects(script: string): SedEffects {
  const [writes, lines]: [string[], string[]] = [[], []];
  let at = 0;
  const restOfLine = (): string => {
    const end = script.indexOf('\n', at);
    const rest = script.slice(at, end < 0 ? undefined : end);
    at += rest.length;
    return rest.trim();
  };
  while (at < script.length) {
    at = skipAddresses(script, at);
    const command = script.charAt(at++);
    if (command === 's' || command === 'y') {
      const end = skipParts(script, at);
      if (end === null) break;
      const flags = /^[gpiImMe0-9 ]*/.exec(script.slice(end))?.[0] ?? '';
      at = end + flags.length;
      if (command === 's' && script[at] === 'w') {
        at++;
        writes.push(restOfLine());
      }
    } else if (command === 'w' || command === 'W') writes.push(restOfLine());
    else if (command === 'e') lines.push(restOfLine());
    else if (command === 'a' || command === 'i' || command === 'c') at = skipText(script, at);
    else if (command === 'r' || command === 'R' || command === '#') restOfLine();
    else if (':btT'.includes(command)) at += /^[^;\n}]*/.exec(script.slice(at))?.[0].length ?? 0;
  }
  return { writes: writes.filter((it) => it !== ''), lines: lines.filter((it) => it !== '') };
}

/** Spaces, separators, braces, `1,$`, `/re/I`, `\,re,`, `!`. */
function skipAddresses(script: string, start: number): number {
  let at = start;
  for (;;) {
    const rest = script.slice(at, at + 64);
    const plain = /^[\s;{}!,$~+0-9]+/.exec(rest)?.[0].length ?? 0;
    if (plain > 0) at += plain;
    else if (rest.startsWith('/') || rest.startsWith('\\')) {
      const from = rest.startsWith('/') ? at : at + 1;
      const end = skipTo(script, from + 1, script.charAt(from));
      if (end === null) return script.length;
      at = end + (/^[IM]*/.exec(script.slice(end))?.[0].length ?? 0);
    } else return at;
  }
}

/** Skips both parts of `s/a/b/`, starting at its delimiter; null if it does not end. */
function skipParts(script: string, at: number): number | null {
  const delimiter = script.charAt(at);
  if (delimiter === '' || delimiter === '\n' || delimiter === '\\') return null;
  const middle = skipTo(script, at + 1, delimiter);
  return middle === null ? null : skipTo(script, middle, delimiter);
}

function skipTo(script: string, start: number, delimiter: string): number | null {
  for (let at = start; at < script.length; at++) {
    if (script[at] === '\\') at++;
    else if (script[at] === delimiter) return at + 1;
  }
  return null;
}

/** The text of a, i and c continues to the end of a line without a trailing backslash. */
function skipText(script: string, start: number): number {
  for (let at = start; at < script.length; at++) {
    if (script[at] === '\\') at++;
    else if (script[at] === '\n') return at;
  }
  return script.length;
}
