/** What an agent has on disk besides the ledger: its job, its log, what its client wrote to standard error. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the supervisor is to start. The environment is not in it: it has keys that belong on no disk. */
export interface Job {
  readonly id: string;
  readonly session: string;
  readonly role: string;
  readonly drafted_by: string;
  readonly root: string;
  readonly cwd: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Given to the client on standard input. */
  readonly input: string;
  /** As the drafter wrote it. */
  readonly prompt: string;
  readonly task: string;
  readonly env: Readonly<Record<string, string>>;
  /** A checkout of its own. */
  readonly worktree: { readonly dir: string; readonly branch: string } | null;
}

export interface AgentFiles {
  readonly dir: string;
  /** stream-json, line by line. */
  readonly log: string;
  readonly stderr: string;
}

export function filesOf(state_dir: string, session: string): AgentFiles {
  const dir = join(state_dir, 'agents', session.replace(/[^\w.-]/g, '_'));
  return { dir, log: join(dir, 'events.jsonl'), stderr: join(dir, 'stderr.log') };
}

export function writeJob(files: AgentFiles, job: Job): void {
  mkdirSync(files.dir, { recursive: true, mode: 0o700 });
  writeFileSync(join(files.dir, 'job.json'), `${JSON.stringify(job)}\n`, { mode: 0o600 });
}

export const readJob = ({ dir }: AgentFiles): Job =>
  JSON.parse(readFileSync(join(dir, 'job.json'), 'utf8')) as Job;

export const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];

export const textIn = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
