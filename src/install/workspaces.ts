/**
 * Whether people are likely to start sessions below the root, as in a repository of several packages, where a session reads
 * the project's settings only in the root itself. Looks only at files in the root, and neither runs nor trusts them.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { asObject, parsedObject } from '../core/json-object.ts';
import { textOf } from '../repo/small-file.ts';

const MOST_BYTES = 1 << 20;

/** A file that exists for nothing else (`null`), or a test for its contents. */
const MARKS: Readonly<Record<string, ((text: string) => boolean) | null>> = {
  'package.json': hasWorkspaces,
  'pnpm-workspace.yaml': null,
  'go.work': null,
  'Cargo.toml': (text) => /^[ \t]*\[workspace[\].]/m.test(text),
  'lerna.json': null,
  'nx.json': null,
  'rush.json': null,
};

/** Names of the files that indicate workspaces. */
export function workspaceFiles(root: string): readonly string[] {
  return Object.entries(MARKS).flatMap(([name, test]) => (isMark(join(root, name), test) ? [name] : []));
}

function isMark(path: string, test: ((text: string) => boolean) | null): boolean {
  if (test === null) return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const text = textOf(path, MOST_BYTES);
  return text !== null && test(text);
}

/** npm, Yarn and Bun: a list, or an object with one. */
function hasWorkspaces(text: string): boolean {
  const { workspaces } = parsedObject(text);
  const list = Array.isArray(workspaces) ? workspaces : asObject(workspaces)['packages'];
  return Array.isArray(list) && list.length > 0;
}

/** For `guard init` and `guard doctor`. */
export const inWorkspaces = (root: string, files: readonly string[]): string =>
  `This repository has workspaces (${files.join(', ')}): a session that is started in one of them, below ${root}, does not read the project's settings, and guard does not run in it`;

export const everywhere = (root: string): string =>
  `Start claude in ${root}, or guard every directory: guard init --scope user`;
