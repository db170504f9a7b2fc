/** patch: the patch itself names its targets. */
import type { Argument, Call, Reading, Writer } from '../call.ts';
import { options } from './options.ts';
import { NOTHING, file, files, kindOf, textOn, together, unresolved, within, word } from './reading.ts';

const MOST_PATCH_BYTES = 1_048_576;
const GRAMMAR =
  'p,strip: i,input: d,directory: o,output: r,reject-file: z,suffix: B,prefix: F,fuzz: D,ifdef: V: Y: g: x: b,backup dry-run C,check R,reverse';

export const patch: Writer = (outer) => {
  const given = options(outer.args, GRAMMAR);
  if (given.has('dry-run', 'C')) return NOTHING;
  const call = within(outer, given.value('d'));
  const out = given.value('o');
  if (out !== undefined) return file(call, out, 'write');
  const [original, from = given.value('i')] = given.operands;
  const edited =
    original === undefined
      ? changed(call, from, Number(given.value('p')?.text ?? '-1'))
      : file(call, original, 'edit');
  if (!given.has('b')) return edited;
  const suffix = given.value('z')?.text ?? '.orig';
  const kept = (edited.targets ?? []).map(({ path }) => word(path + suffix));
  return together([edited, files(call, kept, 'write')]);
};

function changed(call: Call, from: Argument | undefined, strip: number): Reading {
  const text = patchText(call, from);
  if (text === null) return unresolved(call, 'input', from?.source);
  return together(changesIn(text).map((it) => ofChange(call, it, strip)));
}

function patchText(call: Call, from: Argument | undefined): string | null {
  return from === undefined || from.text === '-' ? call.stdin : textOn(call, from, MOST_PATCH_BYTES);
}

interface Change {
  readonly before: string;
  readonly after: string;
  readonly is_rename: boolean;
}

/** Pairs of `---` and `+++` lines followed by a hunk, and git's renames without one. */
export function changesIn(text: string): readonly Change[] {
  const changes: Change[] = [];
  for (const [, before = '', after = ''] of text.matchAll(/^--- (.+)\r?\n\+\+\+ (.+)\r?\n(?=@@ )/gm))
    changes.push({ before: named(before), after: named(after), is_rename: false });
  for (const [, before = '', after = ''] of text.matchAll(/^rename from (.+)\r?\nrename to (.+)$/gm))
    changes.push({ before: `a/${named(before)}`, after: `b/${named(after)}`, is_rename: true });
  return changes;
}

/** A name ends at the tab before its time. */
const named = (text: string): string => text.replace(/\t.*$|\r$/g, '').replace(/^"(.*)"$/, '$1');

const NO_FILE = '/dev/null';

function ofChange(call: Call, { before, after, is_rename }: Change, strip: number): Reading {
  const [old, fresh] = [before, after].map((it) => word(stripped(it, strip), it));
  if (old === undefined || fresh === undefined) return NOTHING;
  if (is_rename) return together([file(call, old, 'move'), file(call, fresh, 'write')]);
  if (before === NO_FILE) return file(call, fresh, 'write');
  if (after === NO_FILE) return file(call, old, 'remove');
  const there = [old, fresh].filter((it) => kindOf(call, it) === 'file');
  const shortest = there.toSorted((a, b) => (a.text ?? '').length - (b.text ?? '').length)[0];
  return file(call, shortest ?? fresh, 'edit');
}

/** Without `-p` only the last component counts. */
function stripped(name: string, strip: number): string {
  const parts = name.replace(/\/+/g, '/').split('/');
  return parts.slice(strip < 0 ? -1 : Math.min(strip, parts.length - 1)).join('/');
}
