/**
 * Baselines on disk: one file per agent next to the ledger, with one `<crc32> <JSON>\n` per line, appended to and never
 * modified in place; the last line of a path counts (docs/decisions/193). Only the agent's own hooks write it, and
 * those that add to an existing baseline take turns (learn.ts). A line that cannot be trusted counts as `unverified`:
 * the next write must read first (fail closed). An unterminated line does not count: its writer was killed before it
 * answered.
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
  /** What the agent wrote last, for showing what a formatter made of it. Null if nothing is stored. */
  takeText(path: RepoPath): string | null;
  /** Removes the stored text if `text` is null or too long. */
  keepText(path: RepoPath, text: string | null): void;
  /** Roots of other repositories whose files this agent wrote: their ledgers must learn of the end of its turn. */
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

/** Longer texts are not stored: their difference would not fit into a message anyway. */
const TEXT_LIMIT_CHARS = 262_144;
/** A character takes at most three bytes, so a file with more bytes than this has too many characters. */
export const KEPT_TEXT_BYTES = 3 * TEXT_LIMIT_CHARS;

export function baselineFiles(state_dir: string, agent: AgentId): BaselineFiles {
  const dir = `${state_dir}/baselines/${fileName(agent)}`;
  const roots = `${dir}/elsewhere.json`;
  const log = `${state_dir}/seen/${fileName(agent)}.log`;
  return {
    // The file comes from guard 0.1.
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

const PLAIN = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_~@-';

/** Most are. Compiling the two patterns to machine code would take 0.1 ms. */
const isPlain = (agent: string): boolean => {
  for (const char of agent) if (!PLAIN.includes(char)) return false;
  return true;
};

const encoded = (agent: string): string =>
  agent.replace(/[^\w~@.-]/g, (char) => `%${char.charCodeAt(0).toString(16)}`).replace(/^\.+/, '%2e');

/** An agent id as a file name: injective for the ids that guard makes, and confined to the directory. */
export function fileName(agent: AgentId): string {
  const name = isPlain(agent) ? agent : encoded(agent);
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

/** Searches for text that can only be the start of a line: inside strings, quotes are escaped. */
function lastIn(log: string, path: RepoPath): Baseline | null {
  try {
    const text = fs.readFileSync(log, { flag: SAFELY as unknown as string, encoding: 'utf8' });
    const at = text.lastIndexOf(`{"v":1,"path":${JSON.stringify(path)},`, text.lastIndexOf('\n'));
    return at < 0 ? null : parse(text.slice(at - 9, text.indexOf('\n', at) + 1), path);
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? null : DAMAGED;
  }
}

/** Each time a log grows past a multiple of this size (about 1,300 lines), it is checked for lines to drop. */
const STEP_BITS = 18;

/**
 * Appends in one write. A process that shortens the log creates `<log>~` before it reads the log, and renames it over
 * the log afterwards. A line written before that is included; one written later finds `<log>~`, or another file under
 * the log's name, and is added again.
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
