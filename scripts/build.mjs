// Builds dist/: the hook as one CommonJS file behind a small entry (a hook process must not read many files); the rest of
// the command line as another one, and as ESM chunks for use if that cannot be loaded. `--if-needed` returns immediately if
// dist is newer than every source file.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { ON_CALL, plainBuiltInsOf } from './built-ins.mjs';
import { calls, exportsOf, lazySources, madeOf, onlyFunctions } from './lazy.mjs';
import { noticesFor } from './notices.mjs';
import { makePage } from './page.mjs';
import { makePlugin, PARTS } from './plugin.mjs';
import { wrap } from './wrap.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

// Lazy sources that every command line needs: in the hook that runs for command lines they are not separate files.
const WITH_COMMANDS = [
  'src/claude/events/bash.ts',
  'src/claude/events/open-call.ts',
  'src/claude/commands/notice-all.ts',
  'src/claude/commands/fence-tend.ts',
  'src/core/rules/command-begin.ts',
  'src/repo/spelled.ts',
  'src/claude/shell/mark.ts',
  'src/claude/hosts/host.ts',
];

// Lazy sources that nearly every PostToolUse of a write or a Read needs: in the hook that runs for these.
const WITH_AFTER = [
  'src/claude/events/read.ts',
  'src/claude/events/write-post.ts',
  'src/claude/learn.ts',
  'src/core/elsewhere-words.ts',
  'src/core/rules/changed-since.ts',
  'src/core/rules/write-end.ts',
];

// One bundle each (src/cli/quick).
const QUICK = ['lock', 'status', 'statusline', 'reserve', 'coordination', 'help'];

// These contain the id of their build, by which they find each other.
const ASKING = ['warm-linux-x64', 'warm-linux-arm64'];
const WARM = ['serve-hooks.cjs', 'warm.pl', ...ASKING];
// Exactly as long as an id, which overwrites it, even in programs.
const NO_ID = '@BUILD_ID_HERE@@';

/** The help of all commands needs none of their files. */
const commandsApart = {
  name: 'commands-apart',
  setup: (context) =>
    context.onResolve({ filter: /^\.\/(?:commands|examples)\// }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    ),
};

// Lazy sources that all or most of agents' own calls need.
const WITH_QUICK = [
  'src/claude/hosts/host.ts',
  'src/core/rules/reservation-report.ts',
  'src/core/rules/reserved-index.ts',
  'src/core/rules/reserved.ts',
  'src/store/embedded/range.ts',
];

const ruleFiles = (...names) => names.map((name) => `src/core/rules/${name}.ts`);
const LOCKING = ruleFiles('acquire', 'blocked', 'deadlock', 'release');

// And those that the calls of one bundle need.
const COORDINATING = ruleFiles('coordination', 'listed', 'places', 'turn');
const WITH_ONE = {
  coordination: COORDINATING,
  reserve: COORDINATING,
  lock: LOCKING,
  status: [
    ...ruleFiles('circles-now'),
    'src/cli/board/status-words.ts',
    'src/repo/client-programs.ts',
    'src/store/embedded/scan.ts',
  ],
  statusline: LOCKING,
};

// An engine that machines share runs in a separate thread (src/store/blocking).
const threads = Object.fromEntries(
  readdirSync(join(root, 'src/store'))
    .map((name) => [name, `src/store/${name}/thread.ts`])
    .filter(([name, thread]) => name !== 'blocking' && existsSync(join(root, thread))),
);

const plainBuiltIns = plainBuiltInsOf(root);

// Built aside and swapped in, so that a hook that runs meanwhile finds a complete program.
const out = `dist.${process.pid}.tmp`;

/** The newest time of a file, or of a directory and all its contents: the directory counts, because a file may be gone from it. */
const newest = (path) => {
  const stat = statSync(join(root, path));
  const inside = stat.isDirectory() ? readdirSync(join(root, path)) : [];
  return Math.max(stat.mtimeMs, ...inside.map((name) => newest(join(path, name))));
};

const SOURCES = ['src', 'scripts', 'package.json', 'package-lock.json', '.claude-plugin', ...PARTS];

const isFresh = () => {
  try {
    const built = statSync(join(root, 'dist/cli/cli.mjs')).mtimeMs;
    if (!statSync(join(root, 'plugin/dist/hook.cjs')).isFile()) return false;
    return SOURCES.every((path) => path === 'dist' || built > newest(path));
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

if (!(process.argv.includes('--if-needed') && isFresh())) {
  const lazy = lazySources(root);
  const exported = await exportsOf(root, lazy);
  const cold = async (name, entry, own, onCall = []) => {
    const others = new Map([...exported].filter(([source]) => !own.includes(source)));
    const options = {
      ...commonJs,
      metafile: true,
      entryPoints: { [name]: entry },
      outdir: out,
    };
    const apart = calls(root, others, './on-use/');
    const tried = await build({ ...options, write: false, plugins: [plainBuiltIns, apart, commandsApart] });
    const { inputs } = tried.metafile;
    const named = plainBuiltInsOf(root, (path) => Object.hasOwn(inputs, `src/${path}`), onCall);
    return build({ ...options, plugins: [named, apart, commandsApart] });
  };
  const [apart, commands, , , ...hooks] = await Promise.all([
    build({
      ...commonJs,
      metafile: true,
      entryPoints: lazy,
      outdir: `${out}/on-use`,
      entryNames: '[name]',
      plugins: [plainBuiltIns, calls(root, exported, './')],
    }),
    build({
      ...shared,
      format: 'esm',
      splitting: true,
      metafile: true,
      entryPoints: {
        cli: 'src/cli/main.ts',
        alone: 'src/harness/alone.ts',
        // Loaded if a ledger is shared, by the name of the engine's folder.
        ...threads,
      },
      // The driver loads it only if told to.
      external: ['pg-native'],
      outdir: `${out}/cli`,
      chunkNames: 'chunks/[name]-[hash]',
      outExtension: { '.js': '.mjs' },
      banner: {
        js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
      },
    }),
    // Finding, linking and compiling 150 modules one by one is most of what a command costs (docs/decisions/212).
    build({
      ...commonJs,
      entryPoints: { whole: 'src/cli/whole.ts' },
      external: ['pg-native'],
      outdir: out,
    }),
    // One runs for each drafted agent.
    build({ ...commonJs, entryPoints: { 'supervise-main': 'src/harness/supervise.ts' }, outdir: out }),
    cold('hook-main', 'src/claude/main.ts', []),
    cold('hook-command', 'src/claude/main.ts', WITH_COMMANDS),
    cold('hook-after', 'src/claude/main.ts', WITH_AFTER),
    cold('hook-host', 'src/claude/adapters/main.ts', []),
    ...QUICK.map((name) => {
      const own = [...WITH_QUICK, ...(WITH_ONE[name] ?? [])];
      return cold(`quick-${name}`, `src/cli/quick/bundles/${name}.ts`, own, ON_CALL);
    }),
  ]);
  const page = await makePage(root, out);
  const packaged = [...Object.keys(commands.metafile.inputs), ...page];
  writeFileSync(join(root, out, 'THIRD-PARTY.txt'), noticesFor(root, packaged));
  writeFileSync(
    join(root, out, 'made-of.json'),
    madeOf(
      out,
      [...hooks, apart].map(({ metafile }) => metafile),
    ),
  );
  onlyFunctions(join(root, out, 'on-use'));
  await buildWarm();
  await buildEntry();
  swapIn(out, 'dist');
  makePlugin(root, join(root, `plugin.${process.pid}.tmp`));
  swapIn(`plugin.${process.pid}.tmp`, 'plugin');
}

/**
 * The entry knows a hash of all files, so that a compiled form is never used with another source. It runs each file as the
 * function that Node makes of CommonJS.
 */
async function buildEntry() {
  const hash = createHash('sha256');
  const small = readdirSync(join(root, out, 'on-use')).map((name) => `on-use/${name}`);
  for (const file of [
    'hook-main.cjs',
    'hook-command.cjs',
    'hook-after.cjs',
    'hook-host.cjs',
    'whole.cjs',
    'supervise-main.cjs',
    ...QUICK.map((name) => `quick-${name}.cjs`),
    ...small,
  ].toSorted()) {
    hash.update(wrap(join(root, out, file)));
  }
  for (const file of WARM) hash.update(readFileSync(join(root, out, file)));
  const id = hash.digest('hex').slice(0, 16);
  for (const file of WARM) {
    const path = join(root, out, file);
    writeFileSync(path, readFileSync(path, 'latin1').replaceAll(NO_ID, id), 'latin1');
  }
  await build({
    ...commonJs,
    entryPoints: {
      hook: 'src/claude/entry.ts',
      guard: 'src/cli/quick/entry.ts',
      supervise: 'src/harness/entry.ts',
    },
    outdir: out,
    plugins: [plainBuiltInsOf(root, () => false)],
    define: { ...commonJs.define, BUILD_ID: JSON.stringify(id) },
  });
}

/** The process that answers hooks from memory, with all of the hook in one file, and the programs that ask it. */
async function buildWarm() {
  await build({
    ...commonJs,
    entryPoints: { 'serve-hooks': 'src/warm/main.ts' },
    outdir: out,
    define: { ...commonJs.define, BUILD_ID: JSON.stringify(NO_ID) },
  });
  // perl parses it for each event: leaving out comments and blank lines saves 0.5 ms of CPU.
  const launcher = readFileSync(join(root, 'hooks/warm.pl'), 'utf8').replace(/^\s*(?:#.*)?\n/gm, '');
  writeFileSync(join(root, out, 'warm.pl'), launcher);
  for (const program of ASKING) {
    const file = join(root, out, program);
    copyFileSync(join(root, 'native', program), file);
    chmodSync(file, 0o755);
  }
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
