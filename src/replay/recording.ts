/**
 * Recordings: one JSON object per line.
 *
 * - event: `{"dt_ms", "stdin", "env"}`: what the client wrote to a hook, in a recorded session. `stdin` is the
 *   payload as an object, or as text if it was not JSON.
 * - file: `{"dt_ms", "file": {"path", "content" | "base64" | "symlink" | "delete"}}`: a change made by someone else.
 * - guard: `{"guard": ["lock", "try", "a.txt"], "env"}`: a person or an agent runs a guard command.
 * - expect: `{"expect": {…}}`: the expected answer to the preceding event (expectation.ts).
 * - setup: `{"setup": {"files", "symlinks", "config", "init", "worktrees"}}`: the repository before the first event.
 *
 * Paths begin with `/repo` (the repository) or `/home/user` (the home directory).
 */
import { parsedObject } from '../core/json-object.ts';
import { GuardError } from '../core/error.ts';
import { isFields } from '../claude/text/field.ts';
import type { Fields } from '../claude/input.ts';

export interface EventStep {
  readonly kind: 'event';
  readonly line: number;
  /** The payload; empty if `stdin` is not JSON. */
  readonly payload: Fields;
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface FileStep {
  readonly kind: 'file';
  readonly line: number;
  readonly path: string;
  readonly change: RecordedChange;
  /** Set on a change by the client's own tool: it happens only if that call was approved. */
  readonly tool_use_id?: string;
}

export type RecordedChange =
  | { readonly content: string; readonly keep_mtime?: boolean }
  | { readonly base64: string; readonly keep_mtime?: boolean }
  /** Text in the encoding and with the line endings of the file. */
  | { readonly text: string }
  | { readonly symlink: string }
  | { readonly delete: true };

export interface GuardStep {
  readonly kind: 'guard';
  readonly line: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface ExpectStep {
  readonly kind: 'expect';
  readonly line: number;
  readonly expect: Fields;
}

export interface Setup {
  /** Path to content, before the first event. */
  readonly files: Readonly<Record<string, string>>;
  /** Path to target; created before the files, which may then be reached through them. */
  readonly symlinks: Readonly<Record<string, string>>;
  /** Written as guard.config.json. */
  readonly config: Fields | undefined;
  /** Arguments of `guard init`; null if the repository is not initialised. */
  readonly init: readonly string[] | null;
  readonly worktrees: readonly string[];
}

export type RecordingStep = EventStep | FileStep | GuardStep | ExpectStep;

export interface Recording {
  readonly setup: Setup;
  readonly steps: readonly RecordingStep[];
}

export const SETUP: Setup = { files: {}, symlinks: {}, config: undefined, init: [], worktrees: [] };

const CHANGES = ['content', 'base64', 'symlink', 'delete'] as const;

class BadLine extends Error {}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function textsOf(value: unknown, name: string): Record<string, string> {
  const entries = Object.entries(value === undefined ? {} : isFields(value) ? value : { '': null });
  if (entries.some(([, text]) => typeof text !== 'string'))
    throw new BadLine(`"${name}" must map names to text`);
  return Object.fromEntries(entries) as Record<string, string>;
}

function eventStep(fields: Fields, line: number): EventStep {
  const { stdin } = fields;
  const env = textsOf(fields['env'], 'env');
  if (typeof stdin === 'string') return { kind: 'event', line, payload: parsedObject(stdin), stdin, env };
  if (!isFields(stdin)) throw new BadLine('"stdin" must be an object or text');
  return { kind: 'event', line, payload: stdin, stdin: `${JSON.stringify(stdin)}\n`, env };
}

function fileStep(fields: Fields, line: number): FileStep {
  const file = isFields(fields['file']) ? fields['file'] : {};
  const given = CHANGES.filter((name) => file[name] !== undefined);
  const [name] = given;
  if (typeof file['path'] !== 'string' || name === undefined || given.length !== 1) {
    throw new BadLine(`"file" needs "path" and one of ${CHANGES.join(', ')}`);
  }
  if (typeof file[name] !== (name === 'delete' ? 'boolean' : 'string'))
    throw new BadLine(`"file.${name}" has a wrong type`);
  const change = { [name]: file[name], ...(file['keep_mtime'] === true ? { keep_mtime: true } : {}) };
  return { kind: 'file', line, path: file['path'], change: change as unknown as RecordedChange };
}

function guardStep(fields: Fields, line: number): GuardStep {
  if (!isTexts(fields['guard'])) throw new BadLine('"guard" must be a list of arguments');
  return { kind: 'guard', line, args: fields['guard'], env: textsOf(fields['env'], 'env') };
}

function expectStep(fields: Fields, line: number): ExpectStep {
  if (!isFields(fields['expect'])) throw new BadLine('"expect" must be an object');
  return { kind: 'expect', line, expect: fields['expect'] };
}

const STEPS: Readonly<Record<string, (fields: Fields, line: number) => RecordingStep>> = {
  stdin: eventStep,
  file: fileStep,
  guard: guardStep,
  expect: expectStep,
};

function setupOf(value: unknown): Setup {
  if (!isFields(value)) throw new BadLine('"setup" must be an object');
  const init = value['init'] === undefined ? SETUP.init : value['init'];
  const worktrees = value['worktrees'] ?? [];
  if (init !== null && !isTexts(init)) throw new BadLine('"setup.init" must be a list of arguments, or null');
  if (!isTexts(worktrees)) throw new BadLine('"setup.worktrees" must be a list of paths');
  const config = isFields(value['config']) ? value['config'] : undefined;
  const files = textsOf(value['files'], 'setup.files');
  const symlinks = textsOf(value['symlinks'], 'setup.symlinks');
  return { files, symlinks, config, init, worktrees };
}

function parseLine(text: string, line: number): RecordingStep | Setup {
  const fields: unknown = JSON.parse(text);
  if (!isFields(fields)) throw new BadLine('not an object');
  if (fields['setup'] !== undefined) return setupOf(fields['setup']);
  const name = Object.keys(STEPS).find((key) => fields[key] !== undefined);
  const parse = name === undefined ? undefined : STEPS[name];
  if (!parse) throw new BadLine(`needs one of setup, ${Object.keys(STEPS).join(', ')}`);
  return parse(fields, line);
}

/** Throws GUARD_ERR_INPUT, naming file and line. */
export function parseRecording(text: string, file: string): Recording {
  let setup = SETUP;
  const steps: RecordingStep[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    if (raw.trim() === '') continue;
    const line = index + 1;
    try {
      const parsed = parseLine(raw, line);
      if ('kind' in parsed) steps.push(parsed);
      else if (steps.length === 0) setup = parsed;
      else throw new BadLine('"setup" comes first');
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      throw new GuardError(
        'GUARD_ERR_INPUT',
        `${file}:${line}: ${cause}.`,
        'A recording has one JSON object per line; see docs/replay.md.',
        { file, line },
        error,
      );
    }
  }
  return { setup, steps };
}
