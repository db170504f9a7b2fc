/** Task directories: `task.json`, one file per dispatch, and the context document made from them. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { GuardError } from '../core/error.ts';
import { checkedSlug, isSlug, slugFor } from '../core/task-slug.ts';
import { errnoOf } from '../repo/errno.ts';
import { firstWrong, isFields, isNull, isText, isTextOrNull, isTexts, or } from './fields.ts';
import { inside } from './inside.ts';
import { taskContext } from './context.ts';
import type { Dispatch, Task } from './context.ts';

const isResult = (value: unknown): boolean =>
  isFields(value) &&
  firstWrong(value, { summary: isText, changes: isTexts, issues: isTexts, questions: isTexts }) === null;

const TASK = { slug: isText, created: isText, description: isText };
const DISPATCH = {
  agent: isText,
  role: isText,
  drafted_by: isText,
  prompt: isText,
  started: isText,
  ended: isTextOrNull,
  status: isTextOrNull,
  reason: isTextOrNull,
  result: or(isNull, isResult),
  last_output: isText,
  changed: or(isNull, isTexts),
};

export interface TaskRow extends Task {
  readonly dispatchCount: number;
}

export interface Tasks {
  list(): TaskRow[];
  has(slug: string): boolean;
  /** @throws GuardError GUARD_ERR_USAGE for a bad slug or an unknown task */
  context(slug: string): string;
  /** The task, made if it is new. A name is found for it where none is given. */
  ensure(slug: string | undefined, description: string, created: string): { slug: string; is_new: boolean };
  /** A task that nobody works on yet. @throws GuardError GUARD_ERR_USAGE for a bad slug, or one that is taken */
  create(slug: string | undefined, description: string, created: string): Task;
  /** A task that was made for an agent that was then refused. */
  remove(slug: string): void;
  /** Writes one agent's part of the history, and the context document anew. */
  put(slug: string, dispatch: Dispatch): void;
  dispatch(slug: string, agent: string): Dispatch | null;
}

/** @param dir the configured directory, relative to `root` */
export function openTasks(root: string, dir: string): Tasks {
  const base = inside(root, dir);
  const dirOf = (slug: string): string => inside(root, join(dir, checkedSlug(slug)));
  const taskIn = (slug: string): Task | null => read<Task>(join(dirOf(slug), 'task.json'), TASK);
  const dispatchesOf = (slug: string): Dispatch[] =>
    names(join(dirOf(slug), 'dispatches'))
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => read<Dispatch>(join(dirOf(slug), 'dispatches', name), DISPATCH) ?? [])
      .sort((a, b) => (a.started < b.started ? -1 : a.started > b.started ? 1 : 0));
  const contextOf = (task: Task): string => taskContext(task, dispatchesOf(task.slug));
  return {
    list: () =>
      names(base)
        .filter(isSlug)
        .sort()
        .flatMap((slug) => taskIn(slug) ?? [])
        .map((task) => ({ ...task, dispatchCount: dispatchesOf(task.slug).length })),
    has: (slug) => taskIn(slug) !== null,
    context(slug) {
      const task = taskIn(slug);
      if (task === null) throw unknownTask(slug);
      return contextOf(task);
    },
    ensure(given, description, created) {
      if (given !== undefined && taskIn(given) !== null) return { slug: given, is_new: false };
      mkdirSync(base, { recursive: true });
      const slug = given ?? slugFor(description, (name) => existsSync(join(base, name)));
      const at = dirOf(slug);
      mkdirSync(join(at, 'dispatches'), { recursive: true });
      replace(join(at, 'task.json'), json({ slug, created, description }));
      return { slug, is_new: true };
    },
    create(given, description, created) {
      mkdirSync(base, { recursive: true });
      const task = {
        slug: given ?? slugFor(description, (name) => existsSync(join(base, name))),
        created,
        description,
      };
      const at = dirOf(task.slug);
      mkdirSync(join(at, 'dispatches'), { recursive: true });
      if (!place(join(at, 'task.json'), json(task))) throw takenTask(task.slug);
      return task;
    },
    remove: (slug) => rmSync(dirOf(slug), { recursive: true, force: true }),
    put(slug, dispatch) {
      const at = dirOf(slug);
      mkdirSync(join(at, 'dispatches'), { recursive: true });
      replace(join(at, 'dispatches', `${fileName(dispatch.agent)}.json`), json(dispatch));
      const task = taskIn(slug);
      if (task !== null) replace(join(at, 'context.md'), contextOf(task));
    },
    dispatch: (slug, agent) =>
      read<Dispatch>(join(dirOf(slug), 'dispatches', `${fileName(agent)}.json`), DISPATCH),
  };
}

export function unknownTask(slug: string): GuardError {
  return new GuardError('GUARD_ERR_USAGE', `There is no task ${slug}.`, 'guard task list names them.', {
    task: slug,
  });
}

function takenTask(slug: string): GuardError {
  return new GuardError(
    'GUARD_ERR_USAGE',
    `There is a task ${slug} already.`,
    `guard task context ${slug} says what is known of it.`,
    { task: slug },
  );
}

const fileName = (agent: string): string => agent.replace(/[^\w.-]/g, '_');
const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Readers see the old file or the new one. */
function replace(file: string, text: string): void {
  const aside = `${file}.${process.pid}.tmp`;
  writeFileSync(aside, text);
  renameSync(aside, file);
}

/** False: there is such a file; of two that come at once one gets it. */
function place(file: string, text: string): boolean {
  const aside = `${file}.${process.pid}.tmp`;
  writeFileSync(aside, text);
  try {
    linkSync(aside, file);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

const names = (dir: string): string[] => (existsSync(dir) ? readdirSync(dir) : []);

/** Null where there is none. What somebody else damaged is said, not skipped. */
function read<T>(file: string, shape: Readonly<Record<keyof T, (value: unknown) => boolean>>): T | null {
  if (!existsSync(file)) return null;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    value = undefined;
  }
  if (isFields(value) && firstWrong(value, shape) === null) return value as unknown as T;
  throw new GuardError('GUARD_ERR_INPUT', `${file} is not what guard wrote.`, 'Correct or remove the file.', {
    file,
  });
}
