/** Where a command reads from and writes to: `<`, `>`, `>>`, `2>&1`, here-documents and here-strings. */
import type { HereString, ParsedScript, Redirect, Redirection } from 'unbash';
import type { Argument } from './call.ts';
import type { FileAct } from './effects.ts';
import { type Here, type Input, NO_INPUT, type Printed } from './here.ts';
import { isUnknown } from './known.ts';
import { LIMITS } from './limits.ts';
import { isTakenOut } from './long-documents.ts';
import { absolute } from './path.ts';
import { argumentsOf, hereDocument, scalar } from './word.ts';
import type { World } from './world.ts';

export interface Redirected {
  /** The context in which the command itself runs. */
  readonly here: Here;
  /** Called once it has run: its output becomes the content of the files. */
  close(): void;
}

interface Output {
  readonly redirect: Redirect;
  readonly path: string;
  readonly is_expanded: boolean;
}

export function redirected(list: readonly Redirection[], world: World, outer: Here): Redirected {
  if (list.length === 0) return { here: outer, close: () => undefined };
  const inputs = list.map((one) => inputOf(one, world, outer));
  const outputs = list.flatMap((one) => (one.type === 'Redirect' ? outputsOf(one, world, outer) : []));
  for (const output of outputs) write(output, outer, null);
  const captures = list.some((one) => one.type === 'Redirect' && takesOutput(one));
  const printed: Printed | null = captures ? { text: '' } : outer.printed;
  const stdin = inputs.findLast((input) => input !== null) ?? outer.stdin;
  const last = captures ? outputs.findLast(({ redirect }) => takesOutput(redirect)) : undefined;
  return {
    here: { ...outer, stdin, printed },
    close: () => {
      if (last !== undefined && ACTS[last.redirect.operator] === 'write')
        write(last, outer, printed?.text ?? null);
    },
  };
}

function inputOf(one: Redirection, world: World, here: Here): Input | null {
  if (one.type === 'HereDoc') {
    const text = hereDocument(one, world, here);
    // A text too long to read is reported as unresolved by the command that runs it, as text from a pipe is.
    if (isTakenOut(one.body.text)) return isStdin(one) ? { text: () => null, is_piped: true } : null;
    return isStdin(one) ? inputFrom(isUnknown(text) ? null : text) : null;
  }
  if (one.type === 'HereString') return hereString(one, world, here);
  if (one.operator === '<&') return isStdin(one) ? NO_INPUT : null;
  if (one.operator !== '<' || one.target === undefined) return null;
  const script = scriptOf(one);
  if (script !== null) return fromScript(script, world, here);
  const [file] = argumentsOf(one.target, world, here);
  return isStdin(one) ? fromFile(file, world, here) : null;
}

const isStdin = ({ descriptor }: Redirection): boolean =>
  descriptor === undefined || (descriptor.type === 'FileDescriptor' && descriptor.value === 0);

const inputFrom = (text: string | null): Input => ({ text: () => text, is_piped: false });

function hereString({ target }: HereString, world: World, here: Here): Input {
  const text = target === undefined ? '' : scalar(target, world, here);
  return inputFrom(isUnknown(text) ? null : `${text}\n`);
}

/** `< <(command)`. */
function scriptOf({ target }: Redirect): ParsedScript | null {
  const [part, more] = target?.parts ?? [];
  return part?.type === 'ProcessSubstitution' && more === undefined ? (part.script ?? null) : null;
}

function fromScript(script: ParsedScript, world: World, here: Here): Input {
  const printed: Printed = { text: '' };
  here.walk.script(script, world, { ...here, printed, stdin: NO_INPUT, returned: null });
  return { text: () => printed.text, is_piped: true };
}

/** Read on demand, and only once. */
function fromFile(file: Argument | undefined, { cwd }: World, { start }: Here): Input {
  const path = typeof file?.text === 'string' ? absolute(file.text, cwd) : null;
  let text: string | null | undefined;
  return {
    text: () => (text ??= path === null ? null : start.look.text(path, LIMITS.file_bytes)),
    is_piped: false,
  };
}

const ACTS: Readonly<Partial<Record<Redirect['operator'], FileAct>>> = {
  '>': 'write',
  '>|': 'write',
  '>&': 'write',
  '&>': 'write',
  '>>': 'append',
  '&>>': 'append',
  '<>': 'edit',
};

/** `2>&1` and `>&-` concern descriptors. */
const isDescriptor = ({ operator, target, descriptor }: Redirect): boolean =>
  operator === '>&' && (descriptor !== undefined || /^(?:\d+-?|-)$/.test(target?.value ?? ''));

function takesOutput(redirect: Redirect): boolean {
  const { descriptor, operator } = redirect;
  if (ACTS[operator] === undefined || operator === '<>' || isDescriptor(redirect)) return false;
  return descriptor === undefined || (descriptor.type === 'FileDescriptor' && descriptor.value === 1);
}

function outputsOf(redirect: Redirect, world: World, here: Here): readonly Output[] {
  const { operator, target } = redirect;
  if (ACTS[operator] === undefined || target === undefined || isDescriptor(redirect)) return [];
  return argumentsOf(target, world, here).flatMap(({ text, is_expanded, reason }) => {
    const path = text === null ? null : absolute(text, world.cwd);
    if (path !== null && text !== '') return [{ redirect, path, is_expanded }];
    const source = here.text.slice(redirect.pos, redirect.end);
    if (text !== '') here.found.miss({ source, by: operator, reason: reason ?? 'directory' });
    return [];
  });
}

function write({ redirect, path, is_expanded }: Output, here: Here, text: string | null): void {
  const { operator, pos, end } = redirect;
  const [act, source] = [ACTS[operator] ?? 'write', here.text.slice(pos, end)];
  const found = is_expanded ? 'expanded' : 'named';
  here.found.target({ path, act, by: operator, source, found }, text);
}
