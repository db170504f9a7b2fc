/** The files an agent has on disk in addition to the ledger: its job, its log, and its client's standard error. */
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { join } from 'node:path';
import type { RoleWorktree } from './role-file.ts';

/** What the supervisor is to start, without its environment: that contains keys that must not be written to disk. */
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
  /** Its own checkout. */
  readonly worktree: WantedWorktree | null;
}

/** The worktree to make; `setup` and `include` are set only if a person approved them. */
export interface WantedWorktree extends RoleWorktree {
  readonly dir: string;
  readonly branch: string;
  /** What was left out, and why. */
  readonly notes: readonly string[];
}

export interface AgentFiles {
  readonly dir: string;
  /** stream-json, line by line. */
  readonly log: string;
  readonly stderr: string;
}

export function agentFiles(state_dir: string, session: string): AgentFiles {
  const dir = join(state_dir, 'agents', session.replace(/[^\w.-]/g, '_'));
  return { dir, log: join(dir, 'events.jsonl'), stderr: join(dir, 'stderr.log') };
}

export function writeJob(files: AgentFiles, job: Job): void {
  mkdirSync(files.dir, { recursive: true, mode: 0o700 });
  writeFileSync(join(files.dir, 'job.json'), `${JSON.stringify(job)}\n`, { mode: 0o600 });
}

export const readJob = ({ dir }: AgentFiles): Job =>
  JSON.parse(readFileSync(join(dir, 'job.json'), 'utf8')) as Job;

const CHUNK_BYTES = 1024 * 1024;
/** A longer line is not an event. */
const LINE_CHARS = 64 * 1024 * 1024;

/** Yields line by line, because a log may be larger than memory. */
export function* fileLines(file: string): Generator<string> {
  if (!existsSync(file)) return;
  const fd = openSync(file, 'r');
  try {
    const decoder = new StringDecoder('utf8');
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let open = '';
    for (let got = readSync(fd, chunk); got > 0; got = readSync(fd, chunk)) {
      const [first = '', ...others] = decoder.write(chunk.subarray(0, got)).split('\n');
      open = (open + first).slice(0, LINE_CHARS);
      for (const line of others) {
        yield open;
        open = line;
      }
    }
    yield open;
  } finally {
    closeSync(fd);
  }
}

const END_BYTES = 64 * 1024;

/** The last END_BYTES of the file. */
export function textIn(file: string): string {
  if (!existsSync(file)) return '';
  const fd = openSync(file, 'r');
  try {
    const end = Buffer.alloc(END_BYTES);
    const got = readSync(fd, end, 0, END_BYTES, Math.max(0, fstatSync(fd).size - END_BYTES));
    return end.toString('utf8', 0, got);
  } finally {
    closeSync(fd);
  }
}
