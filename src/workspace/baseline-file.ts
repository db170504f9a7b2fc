/**
 * Baselines on disk: one file per agent beside the ledger, `<crc32> <JSON>\n` a line, added to and never changed in place; the
 * last line of a path counts (docs/decisions/193). Only the agent's own hooks write it; those that add to what is there take
 * turns (learn.ts). A line that cannot be trusted reads as `unverified`: the next write must read first (fail closed). One
 * without its end never was: whoever wrote it was killed before it answered.
 */
import fs from 'node:fs';
import { attempt } from '../core/attempt.ts';
import type { Baseline } from '../core/rules/baseline.ts';
import type { AgentId, RepoPath } from '../core/types.ts';
import { wallMs } from '../repo/clock.ts';
import { errnoOf } from '../repo/errno.ts';
import { nameHash } from '../repo/name-hash.ts';
import { replaceWithin } from '../repo/replace-whole.ts';
import { SAFELY } from '../repo/safely.ts';
import { unsealLine, sealLine } from '../store/sealed-line.ts';
import { addRoot, rootsIn } from './roots-elsewhere.ts';
import { addAlone, shorten } from './seen-log.ts';

const DAMAGED: Baseline = { turn: 0, knows: 'unverified', digest: null };

export interface BaselineFiles {
  read(path: RepoPath): Baseline | null;
  write(path: RepoPath, baseline: Baseline): void;
  /** What the agent wrote last, to show what a formatter made of it. Null when none is kept. */
  takeText(path: RepoPath): string | null;
  /** Null, or a long one: none is kept. */
  keepText(path: RepoPath, text: string | null): void;
  /** Roots of other repositories whose files this agent wrote: their ledgers must hear of the end of its turn. */
  elsewhere(): readonly string[];
  addElsewhere(root: string): void;
}

/** For a dry run. */
export const readOnly = (files: BaselineFiles): BaselineFiles => ({
  ...files,
  write: () => undefined,
  keepText: () => undefined,
  takeText: () => null,
  addElsewhere: () => undefined,
});

/** Larger files are not kept: their difference would not fit into a message anyway. */
const TEXT_LIMIT_CHARS = 262_144;
/** A character takes three bytes at most: more than so many are more than these characters. */
export const KEPT_TEXT_BYTES = 3 * TEXT_LIMIT_CHARS;

export function baselineFiles(state_dir: string, agent: AgentId): BaselineFiles {
  const dir = `${state_dir}/baselines/${fileName(agent)}`;
  const roots = `${dir}/elsewhere.json`;
  const log = `${state_dir}/seen/${fileName(agent)}.log`;
  return {
    // The file is of a guard up to 0.1.
    read: (path) => lastIn(log, path) ?? parse(readOrNull(`${dir}/${nameHash(path)}.json`), path),
    write: (path, baseline) => add(log, Buffer.from(sealLine({ v: 1, path, ...baseline, at: wallMs() }))),
    takeText(path) {
      const file = `${dir}/${nameHash(path)}.text`;
      const text = readOrNull(file);
      if (text !== null) fs.rmSync(file, { force: true });
      return text;
    },
    keepText(path, text) {
      if (text !== null && text.length <= TEXT_LIMIT_CHARS)
        replaceWithin(dir, `${nameHash(path)}.text`, text, true);
      else fs.rmSync(`${dir}/${nameHash(path)}.text`, { force: true });
    },
    elsewhere: () => (fs.existsSync(roots) ? rootsIn(roots) : []),
    addElsewhere: (root) => addRoot(roots, root),
  };
}

/** File systems allow 255 bytes. */
const NAME_CHARS = 200;

/** An agent id as one file name: injective for the ids guard makes, and nothing that leaves the directory. */
export function fileName(agent: AgentId): string {
  const name = agent
    .replace(/[^\w~@.-]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
    .replace(/^\.+/, '%2e');
  return name.length <= NAME_CHARS ? name : `${name.slice(0, 64)}%${nameHash(agent)}`;
}

function parse(text: string | null, path: RepoPath): Baseline | null {
  if (text === null) return null;
  const { v, path: written, ...baseline } = unsealLine(text) ?? {};
  return v === 1 && written === path ? (baseline as unknown as Baseline) : DAMAGED;
}

function readOrNull(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? null : '';
  }
}

const { O_WRONLY, O_APPEND, O_CREAT } = fs.constants;

/** By what only the beginning of a line can be: quotes in texts are escaped. */
function lastIn(log: string, path: RepoPath): Baseline | null {
  try {
    const bytes = fs.readFileSync(log, { flag: SAFELY as unknown as string });
    const whole = bytes.subarray(0, bytes.lastIndexOf(10) + 1);
    const at = whole.lastIndexOf(`{"v":1,"path":${JSON.stringify(path)},`);
    return at < 0 ? null : parse(whole.toString('utf8', at - 9, whole.indexOf(10, at) + 1), path);
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? null : DAMAGED;
  }
}

/** What became longer than so many bytes more is looked at: is it worth shortening? Some 1,300 lines. */
const STEP_BITS = 18;

/**
 * In one write. Whoever shortens the log makes `<log>~` before it reads, and puts that in its place: a line that was written
 * before is in it, and one that was written later finds `<log>~` or another file under the name, and is added once more.
 */
function add(log: string, line: Uint8Array): void {
  const fd = attempt(() => fs.openSync(log, O_WRONLY | O_APPEND | O_CREAT | SAFELY, 0o600), -1);
  // Its directory may be missing.
  if (fd < 0) {
    addAlone(log, line);
    return;
  }
  try {
    const added = fs.writeSync(fd, line);
    const { ino, size } = fs.fstatSync(fd);
    const isShort = added < line.length;
    if (isShort || fs.existsSync(`${log}~`) || fs.statSync(log, { throwIfNoEntry: false })?.ino !== ino)
      addAlone(log, line);
    else if (size >> STEP_BITS !== (size - added) >> STEP_BITS) shorten(log);
  } finally {
    fs.closeSync(fd);
  }
}
