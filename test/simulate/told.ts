/** Transcripts as the client writes them, line by line, for situations without a recording. */
import fs from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { policyOf } from '../../src/config/load.ts';
import { DEFAULTS, type Preset, PRESETS } from '../../src/config/schema.ts';
import { reportOf, type Showing } from '../../src/simulate/make-report.ts';
import type { SimulationReport } from '../../src/simulate/report.ts';
import { simulate, type Simulated } from '../../src/simulate/simulate.ts';
import { transcriptsIn } from '../../src/simulate/transcript/find.ts';
import type { Unreadable } from '../../src/simulate/transcript/reader.ts';
import { type CheckoutThen, placesAmong } from '../../src/simulate/world/places.ts';
import { scratchRoot } from '../claude/driver/scratch-root.ts';

type Fields = Readonly<Record<string, unknown>>;

const START_MS = Date.UTC(2024, 10, 1, 9);

/** The clock shared by all transcripts of one situation. */
export interface ToldDay {
  readonly dir: string;
  now_ms: number;
  serial: number;
}

export function toldDay(): ToldDay {
  const dir = fs.mkdtempSync(join(scratchRoot(), 'guard-told-'));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return { dir, now_ms: START_MS, serial: 0 };
}

export interface ToldAs {
  readonly cwd?: string;
  readonly agent?: string;
  /** Overrides the session's default file. */
  readonly file?: string;
}

/** One transcript; every call takes a second. */
export class Told {
  readonly day: ToldDay;
  readonly session: string;
  readonly as: ToldAs;
  readonly file: string;

  constructor(day: ToldDay, session: string, as: ToldAs = {}) {
    this.day = day;
    this.session = session;
    this.as = as;
    this.file = join(
      day.dir,
      as.file ?? (as.agent === undefined ? `${session}.jsonl` : `agent-${as.agent}.jsonl`),
    );
  }

  get cwd(): string {
    return this.as.cwd ?? '/repo';
  }

  line(type: 'user' | 'assistant', message: Fields, more: Fields = {}): this {
    const { agent } = this.as;
    const uuid = `00000000-0000-4000-8000-${String(++this.day.serial).padStart(12, '0')}`;
    const timestamp = new Date(this.day.now_ms).toISOString();
    const own = agent === undefined ? { isSidechain: false } : { isSidechain: true, agentId: agent };
    const line = { type, uuid, timestamp, sessionId: this.session, cwd: this.cwd, ...own, message, ...more };
    return this.raw(`${JSON.stringify(line)}\n`);
  }

  raw(text: string): this {
    fs.appendFileSync(this.file, text);
    return this;
  }

  pass(ms: number): this {
    this.day.now_ms += ms;
    return this;
  }

  prompt(words = 'Go on.', more: Fields = {}): this {
    return this.line('user', { role: 'user', content: words }, more).pass(100);
  }

  rest(): this {
    const content = [{ type: 'text', text: 'Done.' }];
    return this.line('assistant', { role: 'assistant', content, stop_reason: 'end_turn' }).pass(100);
  }

  begin(name: string, input: Fields): string {
    const id = `toolu_${++this.day.serial}`;
    const content = [{ type: 'tool_use', id, name, input }];
    this.line('assistant', { id: `msg_${id}`, role: 'assistant', content, stop_reason: 'tool_use' }).pass(
      500,
    );
    return id;
  }

  end(id: string, toolUseResult: unknown, more: Fields = {}): this {
    const content = [{ type: 'tool_result', tool_use_id: id, content: 'Done.', ...more }];
    const told = this.as.agent === undefined ? { toolUseResult } : {};
    return this.line('user', { role: 'user', content }, told).pass(500);
  }

  fails(id: string, content: string): this {
    return this.end(id, `Error: ${content}`, { is_error: true, content });
  }

  call(name: string, input: Fields, toolUseResult: unknown, more: Fields = {}): this {
    return this.end(this.begin(name, input), toolUseResult, more);
  }

  path(name: string): string {
    return name.startsWith('/') ? name : `${this.cwd}/${name}`;
  }

  read(name: string, content: string): this {
    const file_path = this.path(name);
    const lines = content.split('\n');
    const file = {
      filePath: file_path,
      content,
      startLine: 1,
      numLines: lines.length,
      totalLines: lines.length,
    };
    const shown = lines.map((line, nth) => `${nth + 1}\t${line}`).join('\n');
    return this.call('Read', { file_path }, { type: 'text', file }, { content: shown });
  }

  write(name: string, content: string, originalFile: string | null = null): this {
    const file_path = this.path(name);
    return this.call('Write', { file_path, content }, written(file_path, content, originalFile), {
      content: originalFile === null ? 'File created successfully at it.' : 'The file has been updated.',
    });
  }

  edit(name: string, [old_string, new_string]: readonly [string, string], originalFile: string): this {
    const file_path = this.path(name);
    const input = { file_path, old_string, new_string };
    return this.call('Edit', input, edited(file_path, [old_string, new_string], originalFile));
  }

  bash(command: string, toolUseResult: Fields = {}): this {
    return this.call('Bash', { command }, { stdout: '', stderr: '', interrupted: false, ...toolUseResult });
  }
}

export const written = (filePath: string, content: string, originalFile: string | null): Fields => ({
  type: originalFile === null ? 'create' : 'update',
  filePath,
  content,
  structuredPatch: [],
  originalFile,
});

export const edited = (
  filePath: string,
  [oldString, newString]: readonly [string, string],
  originalFile: string,
): Fields => ({ filePath, oldString, newString, originalFile, structuredPatch: [], replaceAll: false });

export interface SimulateAs {
  readonly preset?: Preset;
  readonly checkouts?: readonly CheckoutThen[];
  readonly since_ms?: number;
  readonly paths?: readonly string[];
}

export const REPO: readonly CheckoutThen[] = [{ name: '', root: '/repo' }];

/** Simulates all transcripts in a directory, in this process. */
export function simulated(dir: string, as: SimulateAs = {}): Simulated & { readonly unreadable: Unreadable } {
  const { preset = 'auto', checkouts = REPO, since_ms = 0, paths = [dir] } = as;
  const unreadable = { lines: 0, cut: 0, files: 0 };
  const policy = policyOf({ ...DEFAULTS, ...PRESETS[preset] });
  const transcripts = transcriptsIn({ paths, roots: [], env: {}, since_ms: 0, unreadable });
  const start = { policy, places: placesAmong(checkouts), home: '/home/user' };
  return {
    ...simulate({ ...start, transcripts, since_ms, unreadable, onRead: () => undefined }),
    unreadable,
  };
}

export function reported(dir: string, as: SimulateAs & Partial<Showing> = {}): SimulationReport {
  const found = simulated(dir, as);
  const policy = { preset: as.preset ?? 'auto', from: 'option', enforcement: '', unread: '' } as const;
  const { lines, cut, files } = found.unreadable;
  const around = { transcripts: 0, bytes: 0, unreadable: { lines, cut_off: cut, files }, policy };
  return reportOf(found, around, { top: 10, show: false, ...as });
}

export const ONE = 'one\ntwo\nthree\n';

/** Two sessions, each with a prompt. */
export function twoSessions() {
  const day = toldDay();
  return { day, a: new Told(day, 'aaaa').prompt(), b: new Told(day, 'bbbb').prompt() };
}

/** Refusals in order: the agent, file, reason and outcome of each. */
export const refusals = (dir: string, as: SimulateAs = {}) =>
  reported(dir, as).denied.list.map(({ agent, error_type, also, file, outcome }) => [
    agent,
    file,
    [error_type, ...also].join('+'),
    outcome,
  ]);
