/** Node's package managers: the manifest, the lock file and the directory of installed packages. */
import type { Call, Reading } from '../call.ts';
import { options } from './options.ts';
import { dirName, joined } from '../path.ts';
import { NOTHING, files, scope, unresolved, asWords } from './reading.ts';

/** The nearest ancestor directory with the manifest, where package managers look for it. Null if it is unknown. */
export function rootOf(call: Call, manifest: string): string | null {
  if (call.cwd === null) return null;
  for (let dir = call.cwd; ; dir = dirName(dir)) {
    if (call.start.look.kind(joined(dir, manifest)) === 'file') return dir;
    if (dir === '/' || dir === '.') return call.cwd;
  }
}

const LOCKS: Readonly<Record<string, readonly string[]>> = {
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
};

const ADDS = /^(?:add|remove|rm|uninstall|un|unlink|r|upgrade|up|install-test)$/;
const INSTALLS =
  /^(?:install|i|in|isntall|it|update|dedupe|ddp|prune|link|ln|import|rebuild|rb|install-test)$/;

/** The built-in verbs of npm, pnpm, yarn, bun; null if it is none of them. */
export function nodePackages(call: Call, tool: string, verb: string, args: Call['args']): Reading | null {
  const given = options(
    args,
    'prefix,C,dir,cwd: w,workspace: filter: F: tag: registry: save-exact? g,global,location?',
  );
  const is_dry = given.has('dry-run', 'g', 'D-none');
  const root = rootOf(call, 'package.json');
  const of = (...names: readonly string[]): Reading => {
    if (is_dry) return NOTHING;
    if (root === null) return unresolved(call, 'directory');
    return scope(call, 'packages', asWords(names.map((it) => joined(root, it))));
  };
  const manifest = (act: 'edit' | 'create', ...more: readonly string[]): Reading =>
    root === null
      ? unresolved(call, 'directory')
      : files(call, asWords(['package.json', ...more].map((it) => joined(root, it))), act);
  const lock = LOCKS[tool] ?? [];
  if (verb === 'ci' || verb === 'clean-install') return of('node_modules');
  if (verb === 'pkg')
    return /^(?:set|delete|fix)$/.test(given.operands[0]?.text ?? '') && !is_dry ? manifest('edit') : NOTHING;
  if (verb === 'set-script') return manifest('edit');
  if (verb === 'init' || verb === 'create')
    return given.operands.length > 0
      ? NOTHING
      : manifest(
          root !== null && call.start.look.kind(joined(root, 'package.json')) === null ? 'create' : 'edit',
        );
  if (verb === 'version')
    return given.operands.length > 0 && !is_dry ? manifest('edit', ...present(call, root, lock)) : NOTHING;
  if (verb === 'shrinkwrap') return of('npm-shrinkwrap.json', 'package-lock.json');
  if (verb === 'audit')
    return given.operands[0]?.text === 'fix' ? of('package.json', ...lock, 'node_modules') : NOTHING;
  if (ADDS.test(verb) || (INSTALLS.test(verb) && given.operands.length > 0)) {
    const installed = given.has('package-lock-only') ? [] : ['node_modules'];
    return of(...(given.has('no-save') ? [] : ['package.json', ...lock]), ...installed);
  }
  return INSTALLS.test(verb)
    ? of(
        ...(given.has('frozen-lockfile', 'immutable') ? [] : lock),
        ...(given.has('package-lock-only') ? [] : ['node_modules']),
      )
    : null;
}

function present(call: Call, root: string | null, names: readonly string[]): readonly string[] {
  return root === null ? [] : names.filter((it) => call.start.look.kind(joined(root, it)) === 'file');
}
