/** Task directories: `task.json`, one file per dispatch, and the context document made from them. */
import { existsSync, linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GuardError } from '../core/error.ts';
import { checkedSlug, isSlug, slugFor } from '../core/task-slug.ts';
import { errnoOf } from '../repo/errno.ts';
import { replaceWhole } from '../repo/replace-whole.ts';
import { DISPATCH } from './dispatch-shape.ts';
import { firstWrong, isFields, isText } from './fields.ts';
import { inside } from './inside.ts';
import { makeOutOfGit } from './keep-out-of-git.ts';
import { namingDiskFaults } from './disk-faults.ts';
import { type Dispatch, runName, type Task, taskContext } from './context.ts';

const TASK = { slug: isText, created: isText, description: isText };

export interface TaskRow extends Task {
  readonly dispatchCount: number;
}

export interface Tasks {
  list(): TaskRow[];
  has(slug: string): boolean;
  /** @throws GuardError GUARD_ERR_USAGE for a bad slug or an unknown task */
  context(slug: string): string;
  /** The task, created if it is new. If no name is given, one is made up. */
  ensure(slug: string | undefined, description: string, created: string): { slug: string; is_new: boolean };
  /** A task that no one works on yet. @throws GuardError GUARD_ERR_USAGE for a bad slug, or one that is taken */
  create(slug: string | undefined, description: string, created: string): Task;
  /** Removes a task that was created for an agent that was then refused. */
  remove(slug: string): void;
  /** Writes one agent's part of the history, and rewrites the context document. */
  put(slug: string, dispatch: Dispatch): void;
  dispatch(slug: string, run: Pick<Dispatch, 'agent' | 'nth'>): Dispatch | null;
}

/**
 * @param dir the configured directory, relative to `root`
 * @param completed adds to a dispatch how it ended, if its file does not have that yet
 */
export function openTasks(
  root: string,
  dir: string,
  completed: (dispatch: Dispatch) => Dispatch = (dispatch) => dispatch,
): Tasks {
  const base = inside(root, dir);
  const dirOf = (slug: string): string => inside(root, join(dir, checkedSlug(slug)));
  const taskIn = (slug: string): Task | null => read<Task>(join(dirOf(slug), 'task.json'), TASK);
  const historyOf = (slug: string): string => inside(root, join(dir, checkedSlug(slug), 'dispatches'));
  const fileOf = (slug: string, run: string): string => join(historyOf(slug), `${fileName(run)}.json`);
  const dispatchesOf = (slug: string): Dispatch[] =>
    names(historyOf(slug))
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => read<Dispatch>(join(historyOf(slug), name), DISPATCH) ?? [])
      .map(completed)
      .sort((a, b) => (a.started < b.started ? -1 : a.started > b.started ? 1 : 0));
  /** False if the task exists already. */
  const made = (task: Task): boolean =>
    namingDiskFaults(base, () => {
      makeOutOfGit(base, historyOf(task.slug));
      return place(join(dirOf(task.slug), 'task.json'), json(task));
    });
  const nameFor = (description: string): string =>
    slugFor(description, (name) => existsSync(join(base, name)));
  const rowOf = (slug: string): TaskRow[] => {
    try {
      const task = taskIn(slug);
      return task === null ? [] : [{ ...task, slug, dispatchCount: dispatchesOf(slug).length }];
    } catch (error) {
      // A damaged task must not hide the others.
      const description = error instanceof Error ? error.message : String(error);
      return [{ slug, created: '', description, dispatchCount: 0 }];
    }
  };
  const contextOf = (task: Task): string => taskContext(task, dispatchesOf(task.slug));
  return {
    list: () => names(base).filter(isSlug).sort().flatMap(rowOf),
    has: (slug) => taskIn(slug) !== null,
    context(slug) {
      const task = taskIn(slug);
      if (task === null) throw unknownTask(slug);
      return contextOf({ ...task, slug });
    },
    ensure(given, description, created) {
      for (;;) {
        if (given !== undefined && taskIn(given) !== null) return { slug: given, is_new: false };
        const slug = given ?? nameFor(description);
        // The loser of a race looks again.
        if (made({ slug, created, description })) return { slug, is_new: true };
      }
    },
    create(given, description, created) {
      const task = { slug: given ?? nameFor(description), created, description };
      if (!made(task)) throw takenTask(task.slug);
      return task;
    },
    remove: (slug) => rmSync(dirOf(slug), { recursive: true, force: true }),
    put: (slug, dispatch) =>
      namingDiskFaults(base, () => {
        makeOutOfGit(base, historyOf(slug));
        replaceWhole(fileOf(slug, runName(dispatch)), json(dispatch));
        const task = taskIn(slug);
        if (task !== null) replaceWhole(join(dirOf(slug), 'context.md'), contextOf({ ...task, slug }));
      }),
    dispatch: (slug, run) => read<Dispatch>(fileOf(slug, runName(run)), DISPATCH),
  };
}

const wrongTask = (task: string, message: string, hint: string): GuardError =>
  new GuardError('GUARD_ERR_USAGE', message, hint, { field: 'taskSlug', task });

const unknownTask = (slug: string): GuardError =>
  wrongTask(slug, `No such task: ${slug}.`, 'Run: guard task list');

const takenTask = (slug: string): GuardError =>
  wrongTask(slug, `The task ${slug} already exists.`, `Run: guard task context ${slug}`);

const fileName = (run: string): string => run.replace(/[^\w.-]/g, '_');
const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Written aside, because an existing file of that name may be a link to elsewhere. */
function writtenAside(file: string, text: string): string {
  const aside = `${file}.${process.pid}.tmp`;
  rmSync(aside, { force: true });
  writeFileSync(aside, text, { flag: 'wx' });
  return aside;
}

/** False if the file exists; of two concurrent calls, one succeeds. */
function place(file: string, text: string): boolean {
  const aside = writtenAside(file, text);
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

const FILE_BYTES = 16 * 1024 * 1024;

const names = (dir: string): string[] =>
  namingDiskFaults(dir, () => (existsSync(dir) ? readdirSync(dir) : []));

/** `null` if there is none. A damaged file is reported, not skipped. */
function read<T>(file: string, shape: Readonly<Record<keyof T, (value: unknown) => boolean>>): T | null {
  if (!existsSync(file)) return null;
  let value: unknown;
  try {
    // Skip a pipe, which never ends, and anything larger than guard writes.
    const stat = statSync(file);
    if (stat.isFile() && stat.size <= FILE_BYTES) value = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    value = undefined;
  }
  if (isFields(value) && firstWrong(value, shape) === null) return value as unknown as T;
  throw new GuardError('GUARD_ERR_INPUT', `${file} has an unknown format.`, 'Correct or remove the file.', {
    file,
  });
}
