/**
 * A recording contains what the client reported, not what happened to the files. This reconstructs the file changes:
 * what was there at the start, what the client's tools wrote (just before their PostToolUse), and what someone else
 * must have done, because the next event found a different text than the previous one had left.
 */
import { textField } from '../claude/input.ts';
import { evidenceOf, type Evidence, type Text } from './evidence.ts';
import type { EventStep, FileStep, Recording, RecordingStep } from './recording.ts';

type Texts = Map<string, Text | undefined>;

const idOf = (step: EventStep): string => textField(step.payload, 'tool_use_id');

/** The beginning of the call: a change proven by its PostToolUse counts as made before it. */
function beginOf(steps: readonly RecordingStep[], post: EventStep): number {
  const begin = steps.findIndex(
    (step) =>
      step.kind === 'event' &&
      idOf(step) === idOf(post) &&
      textField(step.payload, 'hook_event_name') === 'PreToolUse',
  );
  return begin === -1 || idOf(post) === '' ? steps.indexOf(post) : begin;
}

const changeTo = (text: Text): FileStep['change'] => (text === null ? { delete: true } : { text });

/** Follows the explicit changes of the recording. Bytes that are not text are not followed. */
function follow(texts: Texts, step: RecordingStep): void {
  if (step.kind !== 'file') return;
  if ('content' in step.change) texts.set(step.path, step.change.content);
  else texts.set(step.path, 'delete' in step.change ? null : undefined);
}

interface Draft {
  readonly start: Record<string, string>;
  readonly texts: Texts;
  /** By the step that they precede. */
  readonly added: Map<RecordingStep, FileStep[]>;
}

const addBefore = (draft: Draft, anchor: RecordingStep, step: FileStep): void => {
  draft.added.set(anchor, [...(draft.added.get(anchor) ?? []), step]);
};

function learn(
  draft: Draft,
  steps: readonly RecordingStep[],
  post: EventStep,
  { path, before, after }: Evidence,
): void {
  const known = draft.texts.get(path);
  const anchor = steps[beginOf(steps, post)] ?? post;
  if (!draft.texts.has(path)) {
    if (typeof before === 'string') draft.start[path] = before;
  } else if (before !== undefined && known !== undefined && before !== known) {
    addBefore(draft, anchor, { kind: 'file', line: post.line, path, change: changeTo(before) });
  }
  const now = before === undefined ? known : before;
  const then = after ? after(now) : now;
  draft.texts.set(path, then);
  if (after && then !== undefined) {
    addBefore(draft, post, {
      kind: 'file',
      line: post.line,
      path,
      change: changeTo(then),
      tool_use_id: idOf(post),
    });
  }
}

/** Pure: the recording with the file changes that its events prove. The recording's own steps are kept. */
export function reconstruct({ setup, steps }: Recording): Recording {
  const draft: Draft = { start: {}, texts: new Map(Object.entries(setup.files)), added: new Map() };
  for (const step of steps) {
    follow(draft.texts, step);
    if (step.kind !== 'event') continue;
    for (const evidence of evidenceOf(step.payload)) learn(draft, steps, step, evidence);
  }
  return {
    // The given files come first: the path of an inferred one may lead through a link to them.
    setup: { ...setup, files: { ...setup.files, ...draft.start, ...setup.files } },
    steps: steps.flatMap((step) => [...(draft.added.get(step) ?? []), step]),
  };
}
