/**
 * Baselines on disk: one small file per (agent, path) beside the ledger, `<crc32> <JSON>\n`, replaced by
 * rename. Only the agent's own hooks read and write it; those that add to what is there take turns (events/read.ts).
 * The name is a hash of the path; a clash would be noticed, because the path is in the file.
 * A file that cannot be trusted reads as `unverified`: the next write must read first (fail closed).
 */
import fs from 'node:fs';
import type { Baseline } from '../core/rules/baseline.ts';
import type { AgentId, RepoPath } from '../core/types.ts';
import { nameHash } from '../repo/name-hash.ts';
import { replaceWithin } from '../repo/replace-whole.ts';
import { crc32, hex8 } from '../store/crc32.ts';

const DAMAGED: Baseline = { turn: 0, knows: 'unverified', digest: null };

export interface BaselineFiles {
  read(path: RepoPath): Baseline | null;
  write(path: RepoPath, baseline: Baseline): void;
  /** What the agent wrote last, to show what a formatter made of it. Null when none is kept. */
  takeText(path: RepoPath): string | null;
  keepText(path: RepoPath, text: string): void;
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

export function baselineFiles(state_dir: string, agent: AgentId): BaselineFiles {
  const dir = baselineDir(state_dir, agent);
  return {
    read: (path) => parse(readOrNull(`${dir}/${nameHash(path)}.json`), path),
    write: (path, baseline) =>
      replaceWithin(dir, `${nameHash(path)}.json`, seal({ v: 1, path, ...baseline }), true),
    takeText(path) {
      const file = `${dir}/${nameHash(path)}.text`;
      const text = readOrNull(file);
      if (text !== null) fs.rmSync(file, { force: true });
      return text;
    },
    keepText(path, text) {
      if (text.length <= TEXT_LIMIT_CHARS) replaceWithin(dir, `${nameHash(path)}.text`, text, true);
      else fs.rmSync(`${dir}/${nameHash(path)}.text`, { force: true });
    },
    elsewhere: () => rootsIn(readOrNull(`${dir}/${ELSEWHERE}`)),
    addElsewhere(root) {
      const roots = rootsIn(readOrNull(`${dir}/${ELSEWHERE}`));
      if (roots.includes(root) || roots.length >= ELSEWHERE_LIMIT) return;
      replaceWithin(dir, ELSEWHERE, seal({ v: 1, roots: [...roots, root] }), true);
    },
  };
}

export const baselineDir = (state_dir: string, agent: AgentId): string =>
  `${state_dir}/baselines/${fileName(agent)}`;

/** A baseline with the path that it is of; null for any other file, and for a damaged one. */
export function baselineIn(file: string): { readonly path: RepoPath; readonly baseline: Baseline } | null {
  const { v, path, ...baseline } = opened(readOrNull(file)) ?? {};
  return v === 1 && typeof path === 'string' ? { path, baseline: baseline as unknown as Baseline } : null;
}

const ELSEWHERE = 'elsewhere.json';
/** Leases in a repository beyond these end by idling. */
const ELSEWHERE_LIMIT = 32;

function rootsIn(text: string | null): readonly string[] {
  const { roots } = opened(text) ?? {};
  return Array.isArray(roots) ? roots.map(String) : [];
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

function seal(content: object): string {
  const json = JSON.stringify(content);
  return `${hex8(crc32(Buffer.from(json)))} ${json}\n`;
}

function parse(text: string | null, path: RepoPath): Baseline | null {
  if (text === null) return null;
  const { v, path: written, ...baseline } = opened(text) ?? {};
  return v === 1 && written === path ? (baseline as unknown as Baseline) : DAMAGED;
}

/** What `seal` sealed; null where it cannot be trusted. */
function opened(text: string | null): Readonly<Record<string, unknown>> | null {
  const json = text?.slice(9, -1) ?? '';
  if (text?.slice(0, 8) !== hex8(crc32(Buffer.from(json)))) return null;
  return JSON.parse(json) as Readonly<Record<string, unknown>>;
}

function readOrNull(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    return '';
  }
}
