// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * PostToolUse of Bash and SessionStart: has anything that keeps guard working changed since the last look? Takes one stat
 * per file, and reads only changed files. What guard itself wrote is not news.
 */
import { parsedObject } from '../../core/json-object.ts';
import { join } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import { asNoticed, isSameNotice, type Notice, NOTICED } from '../../core/noticed.ts';
import { plain } from '../../core/plain.ts';
import { readUndo } from '../../install/undo.ts';
import { readVetoPass } from '../../install/veto-pass.ts';
import { ownStateDir } from '../../repo/clones.ts';
import { digestBytes } from '../../repo/digest.ts';
import { realPath } from '../../repo/real-path.ts';
import { replaceWhole } from '../../repo/replace-whole.ts';
import { stampBehind } from '../../repo/stat-key.ts';
import { textOf } from '../../repo/small-file.ts';
import { userStateDir } from '../../repo/user-dirs.ts';
import type { Hook } from '../context.ts';
import { addedHooks } from '../../settings/foreign-hooks.ts';
import { type Concern, type WatchedFile, watchList } from '../watch-list.ts';

const FILE = 'watched.json';
const MAX_BYTES = 4 << 20;
const SHOWN_CHARS = 200;

interface Seen extends Concern {
  readonly key: string;
}
type Book = Readonly<Record<string, Seen>>;

/**
 * Records what changed, and marks it as seen last. Nothing is reported for a file at its first look.
 * @param note keeps the words for the agent, if this event has any, until then
 */
export function noticeChanges(hook: Hook, note?: (text: string) => void): readonly Notice[] {
  const { home, env, who, input } = hook;
  if (!home.repo.initialised) return [];
  const watched = watchList(home.repo, env);
  const head = headOf(watched.map(({ file }) => [file, stampBehind(file).key]));
  const text = textOf(join(home.state_dir, FILE), MAX_BYTES);
  // Nearly always, and then the texts of all hooks need not be parsed.
  if (text?.startsWith(head) === true) return [];
  const known = knownIn(text);
  const now = Object.fromEntries(watched.map((one) => [one.file, look(one, known?.[one.file])]));
  const changed = Object.entries(now).filter(([file, seen]) => seen !== known?.[file]);
  if (changed.length === 0) return [];
  const notices = newOf(
    hook,
    changed.flatMap(([file, seen]) => {
      const before = known?.[file];
      return before === undefined || isGuards(hook, file) ? [] : newsOf(file, before, seen);
    }),
  );
  if (notices.length > 0) {
    note?.(wordsFor(notices));
    home.run({ type: 'noticed', who, tool: input.tool, op: input.tool_use_id, notices });
  }
  if (!hook.dry) write(home.state_dir, now);
  return notices;
}

/** A hook added through one of the client's tools is already recorded. */
function newOf({ home }: Hook, notices: readonly Notice[]): readonly Notice[] {
  if (notices.length === 0) return notices;
  const known = asNoticed(home.store.look([NOTICED]).get(NOTICED));
  return notices.filter((one) => one.what === 'changed' || !known.some((it) => isSameNotice(it, one)));
}

/** For the agent whose command it was, or the next one to act. */
export const wordsFor = (notices: readonly Notice[]): string =>
  notices.length === 0
    ? ''
    : [
        'guard: the following changed since the last check, and a person will be notified:',
        ...notices.map(({ what, file, detail, event }) =>
          what === 'hook' ? `- ${file} has a new hook for ${event}: ${detail}` : `- ${file}: ${detail}`,
        ),
        'If this was not intended, fix it or tell the user.',
      ].join('\n');

/** The same object if the file has not changed. */
function look({ file, concern }: WatchedFile, before: Seen | undefined): Seen {
  const { key } = stampBehind(file);
  return before?.key === key ? before : { key, ...concern(file) };
}

function newsOf(file: string, before: Concern, now: Concern): Notice[] {
  const gone = before.own.filter((entry) => !now.own.includes(entry));
  const come = now.own.filter((entry) => !before.own.includes(entry));
  const detail = detailOf(gone, come);
  const changed: Notice[] = detail === null ? [] : [{ what: 'changed', file, event: '', detail }];
  return [...changed, ...addedHooks(file, before.hooks, now.hooks)];
}

/** Null if nothing relevant changed. */
function detailOf(gone: readonly string[], come: readonly string[]): string | null {
  const [lost] = gone;
  const [got] = come;
  if (lost === undefined) return got === undefined ? null : `new: ${short(got)}`;
  return got === undefined ? `gone: ${short(lost)}` : `changed: ${short(lost)}`;
}

const short = (text: string): string => plain(text).slice(0, SHOWN_CHARS);

/** The file is as `guard init` or `guard uninstall` left it. */
function isGuards({ home, env, now }: Hook, file: string): boolean {
  if (readVetoPass(home.state_dir, file, now) !== null) return true;
  return attempt(() => {
    const real = realPath(file);
    const entries = [ownStateDir(home.repo), userStateDir(env)].map((dir) => readUndo(dir).files[real]);
    const text = textOf(real, MAX_BYTES);
    const digest = text === null ? null : digestBytes(Buffer.from(text));
    return entries.some((entry) => entry !== undefined && entry.after === digest);
  }, false);
}

const headOf = (stamps: readonly (readonly [file: string, key: string])[]): string =>
  `{"v":1,"stamps":${JSON.stringify(stamps)},"files":`;

function knownIn(text: string | null): Book | null {
  const { v, files } = parsedObject(text);
  return v === 1 ? (files as Book) : null;
}

/** If it cannot be written, it is news again next time, which is no reason to stop anyone. */
const write = (state_dir: string, files: Book): void =>
  attempt(() => {
    const head = headOf(Object.entries(files).map(([file, { key }]) => [file, key]));
    replaceWhole(join(state_dir, FILE), `${head}${JSON.stringify(files)}}`);
  }, undefined);
