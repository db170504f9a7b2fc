// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * WorktreeCreate and WorktreeRemove: if `guard init --worktrees` registered them, the client creates no worktree itself. It uses the
 * path that the hook prints, and removes nothing that a hook created. Always a separate process, not the server: a queue may be long.
 */
import fs from 'node:fs';
import { isGuardError } from '../core/error.ts';
import { plain } from '../core/plain.ts';
import type { Who } from '../core/rules/who.ts';
import { agentOfWorktree } from '../core/worktree-names.ts';
import { openClock } from '../repo/clock.ts';
import { locateRepo, newLooks, type Repo } from '../repo/locate.ts';
import { openDeaths } from '../repo/process.ts';
import { addWorktree } from '../worktrees/add.ts';
import { dropWorktree } from '../worktrees/drop.ts';
import { type CallerWorkspace, openWorkspace, type Workspace } from '../workspace/workspace.ts';
import { identityIn, processOf } from './identity.ts';
import { parseInput, textField } from './input.ts';
import type { HookInput } from './hook-input.ts';
import { stateDirOf } from './ledger-of.ts';

export { endProcess } from '../repo/end-process.ts';

/** The client waits 600 s for this hook (install/entries.ts). */
const LIMIT_MS = 540_000;
/** The deadline of one attempt at the ledger, which is repeated until the limit. */
const LOCK_DEADLINE_MS = 4_000;

/** @param read returns the next chunk of standard input; empty at its end */
export function worktreeEvent(first: Buffer, read: () => Buffer): false {
  const chunks: Buffer[] = [];
  for (let chunk = first; chunk.length > 0; chunk = read()) chunks.push(chunk);
  const { env } = process;
  const input = parseInput(Buffer.concat(chunks).toString('utf8'), process.cwd(), env);
  try {
    if (input === null) throw new Error('the event on stdin is not valid');
    if (input.event === 'WorktreeRemove') remove(input);
    else fs.writeSync(1, `${create(input)}\n`);
  } catch (error) {
    process.exitCode = 2;
    fs.writeSync(2, `guard: ${plain(told(error))}\n`);
  }
  return false;
}

function told(error: unknown): string {
  if (isGuardError(error)) return `${error.code}: ${error.message} ${error.hint}`;
  return `GUARD_ERR_INTERNAL: ${String(error)}`;
}

function create(input: HookInput): string {
  const { env } = process;
  const name = textField(input.raw, 'name');
  const repo = locateRepo(input.cwd, env);
  return withLedger(input, repo, (space) => {
    const wish = { name, cwd: input.cwd, repo, env, proc: processOf(env), space, limit_ms: LIMIT_MS };
    return addWorktree(wish).path;
  });
}

function remove(input: HookInput): void {
  const path = textField(input.raw, 'worktree_path', 'path');
  if (path === '') return;
  const repo = locateRepo(path, process.env);
  const kept = withLedger(input, repo, (space) => dropWorktree({ repo, dir: path, env: process.env, space }));
  if (kept !== null) fs.writeSync(2, `guard: ${plain(`${path} stays: ${kept}`)}\n`);
}

/** A broken ledger is no reason not to create a worktree; git's own locks then have to suffice. */
function withLedger<T>(input: HookInput, repo: Repo, work: (space: CallerWorkspace | null) => T): T {
  let space: Workspace;
  try {
    if (!repo.initialised) return work(null);
    const state_dir = stateDirOf(repo, process.env, newLooks());
    const around = { cwd: input.cwd, env: process.env, lock_deadline_ms: LOCK_DEADLINE_MS };
    space = openWorkspace(repo, { ...around, state_dir, now: openClock(), isDead: openDeaths() });
  } catch (error) {
    if (!isGuardError(error)) throw error;
    fs.writeSync(2, `guard: ${plain(told(error))}\n`);
    return work(null);
  }
  try {
    return work({ ...space, who: whoIn(input, space) });
  } finally {
    space.close();
  }
}

/** A subagent's worktree is created for the subagent, which is named after it and joins here. */
function whoIn({ session, raw }: HookInput, { store, facts }: Workspace): Who {
  const proc = processOf(process.env);
  const states = {
    get: (keys: readonly string[]) => {
      const view = store.look(keys);
      return (key: string) => view.get(key);
    },
  };
  const { id, inherited } = identityIn(states, `claude-${session}`, proc, facts());
  const main: Who = { id, kind: 'session', parent: null, session, proc, inherited };
  const agent = agentOfWorktree(textField(raw, 'name'));
  return agent === null
    ? main
    : { ...main, id: `${id}/${agent}`, kind: 'subagent', parent: id, inherited: false };
}
