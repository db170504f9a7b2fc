// Builds dist/: the hook as one CommonJS file behind a small entry (a hook process must not read many files), the rest
// of the command line as ESM chunks loaded on use. `--if-needed` returns at once when dist is newer
// than every source file.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { noticesFor } from './notices.mjs';
import { makePlugin } from './plugin.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

// What only some events need is a file of its own beside the hook, loaded at the first call of one of
// its functions; the sources import it like anything else. It may export functions only. Those of a later
// list may use those of the earlier ones.
const ON_USE = [
  ['src/shell/unbash.ts'],
  [
    'src/repo/make-key.ts',
    'src/repo/account.ts',
    'src/repo/make-dirs.ts',
    'src/repo/output-of.ts',
    'src/repo/known/adopt.ts',
    'src/config/suggest.ts',
    'src/install/guard-command.ts',
    'src/repo/known/refusal.ts',
    'src/claude/shell/inject.ts',
    'src/claude/shell/command-line.ts',
    'src/claude/glance.ts',
    'src/claude/made-for.ts',
    'src/core/rules/own-worktree.ts',
    'src/claude/naming.ts',
    'src/repo/spelled.ts',
    'src/claude/events/open-call.ts',
    'src/install/mcp-server.ts',
    'src/core/messages.ts',
    'src/core/denial.ts',
    'src/core/rules/blocked.ts',
    'src/core/rules/calls.ts',
    'src/core/rules/join.ts',
    'src/core/rules/revoke.ts',
    'src/core/acting.ts',
    'src/core/rules/deadlock.ts',
    'src/core/rules/drafting.ts',
    'src/core/rules/release.ts',
    'src/core/rules/reserved.ts',
    'src/core/rules/reserved-index.ts',
    'src/core/rules/reservation-report.ts',
    'src/core/rules/turn.ts',
    'src/store/embedded/has-moved.ts',
    'src/store/embedded/never-written.ts',
    'src/store/embedded/range.ts',
    'src/store/embedded/recover.ts',
    'src/store/embedded/rotate.ts',
    'src/store/embedded/scan.ts',
    'src/store/embedded/watch.ts',
    'src/store/flock/others.ts',
    'src/claude/text/difference.ts',
    'src/claude/settings-judge.ts',
    'src/config/file.ts',
    'src/claude/hosts/answer.ts',
    'src/claude/hosts/host.ts',
    'src/claude/mcp/paths.ts',
    'src/shell/read-line.ts',
    'src/contents/excluded.ts',
    'src/claude/start-tidy.ts',
    'src/claude/commands/bypasses.ts',
    'src/fence/keep.ts',
  ],
  ['src/claude/keep-later.ts', 'src/claude/events/told-stale.ts', 'src/claude/commands/told-drift.ts'],
  ['src/claude/commands/notice-all.ts'],
  ['src/claude/commands/window-ends.ts', 'src/claude/events/lock-tools.ts', 'src/claude/learn.ts'],
  ['src/claude/commands/git-made.ts'],
  ['src/claude/commands/ended.ts', 'src/repo/ignored.ts'],
  [
    'src/repo/known/choose.ts',
    'src/claude/failed.ts',
    'src/core/rules/acquire.ts',
    'src/core/rules/take-leases.ts',
    'src/core/rules/await.ts',
    'src/core/rules/circles-now.ts',
    'src/core/rules/coordination.ts',
    'src/core/rules/doomed.ts',
    'src/core/rules/write-reject.ts',
    'src/core/rules/write-end.ts',
    'src/core/rules/shadow-locks.ts',
    'src/claude/events/gone.ts',
    'src/claude/events/lifecycle.ts',
    'src/claude/events/write-post.ts',
    'src/claude/events/read.ts',
    'src/claude/events/batch.ts',
    'src/claude/events/oversized.ts',
    'src/claude/events/config-change.ts',
    'src/claude/events/hard-links.ts',
    'src/claude/events/odd-writes.ts',
    'src/claude/events/mail.ts',
    'src/claude/events/revoked.ts',
    'src/claude/protected.ts',
    'src/claude/hosts/foreign-write.ts',
    'src/claude/hosts/originals.ts',
    'src/claude/hosts/translate.ts',
    'src/claude/mcp/held.ts',
    'src/core/rules/command-end.ts',
    'src/claude/events/watched.ts',
    'src/claude/events/stranger.ts',
    'src/claude/events/turn-end.ts',
    'src/claude/shell/mark.ts',
    'src/claude/commands/git.ts',
    'src/claude/commands/look-at.ts',
    'src/claude/commands/seen.ts',
    'src/claude/commands/fenced.ts',
    'src/claude/commands/fence-start.ts',
    'src/claude/commands/fence-tend.ts',
    'src/claude/commands/fence-required.ts',
  ],
  ['src/core/rules/command-begin.ts', 'src/claude/commands/window.ts', 'src/claude/read-files.ts'],
  ['src/claude/commands/judge.ts'],
  ['src/claude/events/bash.ts'],
  ['src/claude/events/failed-tool.ts'],
];

// Built aside and swapped in, so that a hook that runs meanwhile finds a whole program.
const out = `dist.${process.pid}.tmp`;

const newest = (dir) =>
  readdirSync(join(root, dir), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((max, entry) => Math.max(max, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);

const isFresh = () => {
  try {
    const built = statSync(join(root, 'dist/cli/cli.mjs')).mtimeMs;
    if (!statSync(join(root, 'plugin/dist/hook.cjs')).isFile()) return false;
    const sources = Math.max(newest('src'), newest('scripts'), statSync(join(root, 'package.json')).mtimeMs);
    return built > sources;
  } catch {
    return false;
  }
};

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  minify: true,
  // jsonc-parser's main is UMD, which cannot be bundled.
  mainFields: ['module', 'main'],
  legalComments: 'none',
  logLevel: 'warning',
};

const commonJs = {
  ...shared,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.filename': '__filename' },
};

/**
 * Named imports of built-ins as plain property reads. esbuild's own form copies every property of the module
 * at every import (100 getters for each of the 40 files that import node:fs): 5 ms of a cold hook.
 */
const plainBuiltIns = {
  name: 'plain-built-ins',
  setup(context) {
    const names = importedNames();
    context.onResolve({ filter: /^node:/, namespace: 'built-in' }, ({ path }) => ({ path, external: true }));
    context.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'built-in' }));
    context.onLoad({ filter: /.*/, namespace: 'built-in' }, ({ path }) => {
      const named = [...(names.get(path) ?? [])].map((it) => `export const ${it} = built_in.${it};`);
      return {
        contents: [`const built_in = require('${path}');`, 'export default built_in;', ...named].join('\n'),
        loader: 'js',
      };
    });
  },
};

/** For every built-in the names that some source imports. */
function importedNames() {
  const names = new Map();
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.ts')) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    for (const [, list, module] of text.matchAll(
      /import (?!type )[^;]*?\{([^}]*)\} from '(node:[\w/]+)';/g,
    )) {
      const imported = list.split(',').map((it) => it.trim().split(' as ')[0]);
      const wanted = imported.filter((it) => it !== '' && !it.startsWith('type '));
      names.set(module, new Set([...(names.get(module) ?? []), ...wanted]));
    }
  }
  return names;
}

/** Replaces the listed sources by calls into their own files in `dir`, as seen from the file that is built. */
const onUse = (sources, dir) => ({
  name: 'on-use',
  setup(context) {
    context.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = sources.find((file) => path === join(root, file));
      if (source === undefined) return undefined;
      const name = `${basename(source, '.ts')}.cjs`;
      const exported = Object.entries(createRequire(import.meta.url)(join(root, out, 'on-use', name)));
      const wrong = exported.filter(([, value]) => typeof value !== 'function').map(([it]) => it);
      if (wrong.length > 0) throw new Error(`${source} exports more than functions: ${wrong.join(', ')}`);
      const calls = exported.map(
        ([it]) => `export const ${it} = (...args) => require('${dir}${name}').${it}(...args);`,
      );
      return { contents: calls.join('\n'), loader: 'js' };
    });
    context.onResolve({ filter: /^\.\/(?:on-use\/)?[\w-]+\.cjs$/ }, ({ path }) => ({ path, external: true }));
  },
});

if (!(process.argv.includes('--if-needed') && isFresh())) {
  const small = { ...commonJs, outdir: `${out}/on-use`, entryNames: '[name]' };
  for (const [nth, entryPoints] of ON_USE.entries()) {
    const before = ON_USE.slice(0, nth).flat();
    await build({ ...small, entryPoints, plugins: [plainBuiltIns, onUse(before, './')] });
  }
  const [, commands] = await Promise.all([
    build({
      ...commonJs,
      entryPoints: { 'hook-main': 'src/claude/main.ts' },
      outdir: out,
      plugins: [plainBuiltIns, onUse(ON_USE.flat(), './on-use/')],
    }),
    build({
      ...shared,
      format: 'esm',
      splitting: true,
      metafile: true,
      entryPoints: { cli: 'src/cli/main.ts', supervise: 'src/harness/supervise.ts' },
      outdir: `${out}/cli`,
      chunkNames: 'chunks/[name]-[hash]',
      outExtension: { '.js': '.mjs' },
      banner: {
        js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
      },
    }),
  ]);
  writeFileSync(join(root, out, 'THIRD-PARTY.txt'), noticesFor(root, Object.keys(commands.metafile.inputs)));
  await buildEntry();
  swapIn(out, 'dist');
  makePlugin(root, join(root, `plugin.${process.pid}.tmp`));
  swapIn(`plugin.${process.pid}.tmp`, 'plugin');
}

/** The entry knows all files' content by name, so that a compiled form is never used for another source. */
async function buildEntry() {
  const hash = createHash('sha256');
  const files = ['hook-main.cjs', ...readdirSync(join(root, out, 'on-use')).map((name) => `on-use/${name}`)];
  for (const file of files.toSorted()) hash.update(readFileSync(join(root, out, file)));
  await build({
    ...commonJs,
    entryPoints: { hook: 'src/claude/entry.ts' },
    outdir: out,
    plugins: [plainBuiltIns],
    define: { BUILD_ID: JSON.stringify(hash.digest('hex').slice(0, 16)) },
  });
}

function swapIn(made, name) {
  const [built, live, old] = [made, name, `${name}.${process.pid}.old`].map((dir) => join(root, dir));
  try {
    renameSync(live, old);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  renameSync(built, live);
  rmSync(old, { recursive: true, force: true });
}
