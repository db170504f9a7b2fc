// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * What an agent is told about changes that its own command made. For its own files: the exact difference, so that they count
 * as seen. For files that others hold: the holder, and how to restore them. And what others did to its files.
 */
import { DRIFTED_HEAD, DRIFTED_NEXT, driftedLines } from '../../core/drift-words.ts';
import { plain } from '../../core/plain.ts';
import { afterMissing } from '../../core/rules/knowledge.ts';
import { shellWord } from '../../core/shell-word.ts';
import { spelledAt } from '../../repo/spelled.ts';
import { newRoom, type Room } from '../events/told.ts';
import { turnOf } from '../events/targets.ts';
import type { HookSpace, Hook } from '../context.ts';
import { describeDifference } from '../text/difference.ts';
import { decodeText } from '../text/encoding.ts';
import { knownText } from './known-text.ts';
import type { Noticed } from './notice-drift.ts';

export function driftWords(hook: Hook, space: HookSpace, noticed: readonly Noticed[]): readonly string[] {
  const settled = noticed.filter(({ noted }) => noted.state !== 'pending');
  const mine = settled.filter(({ noted }) => noted.agents.includes(hook.who.id));
  const room = newRoom();
  return [
    offence(
      space,
      hook.who.id,
      mine.filter(({ noted }) => noted.holders.length > 0),
    ),
    ...ownChanges(hook, space, mine.filter(isPlainlyOwn), room),
    loss(hook, space, settled),
  ].filter((note) => note !== '');
}

const isPlainlyOwn = ({ noted }: Noticed): boolean =>
  noted.agents.length === 1 && noted.holders.length === 0 && noted.author !== 'outside';

const SHOWN = 10;

/** Files of others that this agent's command changed, or may have changed. */
function offence(space: HookSpace, me: string, changed: readonly Noticed[]): string {
  if (changed.length === 0) return '';
  const { guard_command } = space.facts();
  const lines = changed.slice(0, SHOWN).map(({ abs, to, noted }) => {
    const holders = noted.holders.slice(0, 3).map((id) => plain(id));
    const others = noted.agents.filter((id) => id !== me);
    const how =
      others.length === 0
        ? ''
        : `, or a command of ${others
            .slice(0, 3)
            .map((id) => plain(id))
            .join(', ')} did`;
    const did = to === null ? 'removed' : 'changed';
    return `- ${did} ${plain(abs)}, which ${holders.join(', ')} holds${how}; the holder can restore it with: ${guard_command} undo ${shellWord(abs)}`;
  });
  const more = changed.length > SHOWN ? [`- and ${changed.length - SHOWN} more files of others`] : [];
  return [
    'guard: while your command ran, it',
    ...lines,
    ...more,
    'The holder of a file is notified at its next step, and decides what to do about the change. You can restore it yourself only once the lock is free; leave the file alone until then.',
  ].join('\n');
}

/** Leaves room for the differences of other files. */
const DIFFERENCE_LIMIT_CHARS = 3_000;
const SENTENCE_CHARS = 300;

function ownChanges(
  hook: Hook,
  space: HookSpace,
  changed: readonly Noticed[],
  room: Room,
): readonly string[] {
  const told = changed.flatMap((one) => ownChange(hook, space, one, room));
  const large = told.filter(({ note }) => note === null).map(({ abs }) => plain(abs));
  const notes = told.flatMap(({ note }) => (note === null ? [] : [note]));
  if (large.length === 0) return notes;
  const names =
    large.slice(0, SHOWN).join(', ') + (large.length > SHOWN ? ` and ${large.length - SHOWN} more` : '');
  return [
    ...notes,
    `guard: your command also changed these, by too much to show here; read them again before you write them: ${names}`,
  ];
}

interface Told {
  readonly abs: string;
  /** Null if it is too long. */
  readonly note: string | null;
}

/** Nothing is reported for a file whose content the agent did not know: it remains stale or unread. */
function ownChange(hook: Hook, space: HookSpace, one: Noticed, room: Room): readonly Told[] {
  const { path, abs, from, to, bytes } = one;
  const baseline = space.baselines.read(path);
  if (from === null || baseline?.knows !== 'content' || baseline.digest !== from) return [];
  const turn = turnOf(hook);
  if (to === null) {
    space.baselines.write(path, afterMissing(turn));
    return [];
  }
  const before = knownText(space.state_dir, from);
  const after = bytes === undefined ? null : decodeText(bytes);
  const max_chars = Math.min(DIFFERENCE_LIMIT_CHARS, room.left_chars - SENTENCE_CHARS - abs.length);
  if (before === null || after === null || max_chars < 1) return [{ abs, note: null }];
  const { text, whole } = describeDifference(before, after, { max_chars });
  if (!whole) return [{ abs, note: null }];
  const note = `guard: your command changed ${abs} as follows; you need not read it again:\n${text}`;
  room.left_chars -= note.length + 2;
  space.named?.note?.(note);
  space.baselines.write(path, { turn, knows: 'content', digest: to });
  return [{ abs, note }];
}

/** Reports once what others did to files that it holds or wrote (core/rules/drift.ts). */
function loss(hook: Hook, space: HookSpace, settled: readonly Noticed[]): string {
  const { who } = hook;
  if (settled.every(({ noted }) => noted.agents.length === 1 && noted.agents[0] === who.id)) return '';
  const drifted = space.run({ type: 'drift.told', who, only: null });
  return lossWords(space, drifted);
}

export function lossWords({ facts, repo }: HookSpace, drifted: Parameters<typeof driftedLines>[0]): string {
  if (drifted.length === 0) return '';
  const lines = driftedLines(drifted, { guard: facts().guard_command, spelled: spelledAt(repo) });
  return [DRIFTED_HEAD, ...lines, DRIFTED_NEXT].join('\n');
}
