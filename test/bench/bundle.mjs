// Compares ways to pack the hook: what ships (one CommonJS file and files loaded on use, in V8's compiled form), the same without
// the compiled form, everything in one CommonJS file, in one ES module, and one ES module per source file. Cold processes,
// interleaved in a rotated order.
//   node test/bench/bundle.mjs [runs]
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { clientEnv, eventText } from './client-event.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const runs = Number(process.argv[2] ?? 40);
const dir = mkdtempSync(join(tmpdir(), 'guard-bundle-'));

const shared = {
  absWorkingDir: root,
  platform: 'node',
  target: 'node20.19',
  logLevel: 'error',
};
const whole = { ...shared, bundle: true, minify: true };
const url = "const __file_url = process.getBuiltinModule('node:url').pathToFileURL(__filename).href;";
const requires = "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);";

/** Each variant has its own package directory, so that guard finds its package.json and the native lock. */
function place(name) {
  mkdirSync(join(dir, name, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(dir, name, 'package.json'));
  for (const part of ['node_modules', 'native']) symlinkSync(join(root, part), join(dir, name, part));
  return join(dir, name, 'dist');
}

const UNCOMPILED = `
  const { readFileSync } = require('node:fs');
  const load = (file) => {
    const module = {};
    const needs = (name) => (name.endsWith('.cjs') ? load(require('node:path').join(__dirname, name)) : require(name));
    require('node:vm').runInThisContext(readFileSync(file, 'utf8'), file)(module, needs, file);
    return module.exports;
  };
  const chunk = Buffer.alloc(65536);
  const read = () => Buffer.from(chunk.subarray(0, require('node:fs').readSync(0, chunk)));
  load(__dirname + '/hook-main.cjs').run(read(), read);
`;
const stub = {
  contents:
    "import { run } from './src/claude/main.ts'; import { readSome } from './src/claude/chunk.ts'; run(readSome(), readSome);",
  resolveDir: root,
  loader: 'ts',
};
const define = { 'import.meta.url': '__file_url', 'import.meta.filename': '__filename' };
whole.stdin = stub;

const VARIANTS = {
  async shipped(out) {
    cpSync(join(root, 'dist'), out, { recursive: true });
    return join(out, 'hook.cjs');
  },
  async uncompiled(out) {
    cpSync(join(root, 'dist'), out, { recursive: true });
    writeFileSync(join(out, 'hook.cjs'), UNCOMPILED);
    return join(out, 'hook.cjs');
  },
  async one_cjs(out) {
    await build({ ...whole, format: 'cjs', outfile: join(out, 'hook.cjs'), define, banner: { js: url } });
    return join(out, 'hook.cjs');
  },
  async one_esm(out) {
    await build({ ...whole, format: 'esm', outfile: join(out, 'hook.mjs'), banner: { js: requires } });
    return join(out, 'hook.mjs');
  },
  async files(out) {
    const sources = readdirSync(join(root, 'src'), { recursive: true }).filter((file) =>
      file.endsWith('.ts'),
    );
    const entryPoints = sources.map((file) => `src/${file}`);
    const outExtension = { '.js': '.mjs' };
    await build({
      ...shared,
      bundle: false,
      format: 'esm',
      outbase: 'src',
      outdir: out,
      outExtension,
      entryPoints,
    });
    for (const file of sources) {
      const made = join(out, file.replace(/\.ts$/, '.mjs'));
      const text = readFileSync(made, 'utf8');
      writeFileSync(made, text.replace(/(from\s*|import\(?\s*)"(\.[^"]+)\.ts"/g, '$1"$2.mjs"'));
    }
    writeFileSync(join(out, 'hook.mjs'), "import { run } from './claude/main.mjs'; run();\n");
    return join(out, 'hook.mjs');
  },
};

const repo = join(dir, 'repo');
const home = join(dir, 'home');
for (const made of [repo, home]) mkdirSync(made);
const env = clientEnv({ repo, home }, 'bench');
const node = (args, input = '') =>
  spawnSync(process.execPath, args, { cwd: repo, env, input, encoding: 'utf8' });
spawnSync('git', ['init', '--quiet'], { cwd: repo });
writeFileSync(join(repo, 'a.txt'), 'one\ntwo\nthree\n');
node([join(root, 'bin/guard.cjs'), 'init', '--preset', 'auto']);

let calls = 0;
const event = (tool_name, tool_input) =>
  eventText({ repo, home }, 'bench', {
    hook_event_name: 'PreToolUse',
    tool_name,
    tool_input,
    tool_use_id: `toolu_${(calls += 1)}`,
  });
const EVENTS = {
  'a tool that guard ignores': () => event('WebSearch', { query: 'x' }),
  'PreToolUse Edit, approved': () =>
    event('Edit', { file_path: join(repo, 'a.txt'), old_string: 'two', new_string: 'TWO' }),
};

const programs = { empty: join(dir, 'empty.cjs') };
writeFileSync(programs.empty, '');
for (const [name, make] of Object.entries(VARIANTS)) programs[name] = await make(place(name));
const names = Object.keys(programs);
for (const [name, program] of Object.entries(programs)) {
  console.log(`${name.padEnd(8)} ${`${statSync(program).size} bytes in its first file`}`);
}
const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

for (const [what, make] of Object.entries(EVENTS)) {
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < runs + 2; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round) % names.length];
      const start = process.hrtime.bigint();
      const ended = node([programs[name]], make());
      if (ended.status !== 0 || ended.stderr !== '')
        throw new Error(`${name}: ${ended.status} ${ended.stderr}`);
      // The first two rounds fill the page cache.
      if (round >= 2) times[name].push(Number(process.hrtime.bigint() - start) / 1e6);
    }
  }
  console.log(
    `\n${what} (${runs} runs, ms above an empty process: minimum, median of the paired differences)`,
  );
  console.log(
    `empty    min ${Math.min(...times.empty).toFixed(1)}  median ${middle(times.empty).toFixed(1)}`,
  );
  for (const name of names.slice(1)) {
    const above = times[name].map((time, at) => time - times.empty[at]);
    console.log(
      `${name.padEnd(8)} ${(Math.min(...times[name]) - Math.min(...times.empty)).toFixed(1)}  ${middle(above).toFixed(1)}`,
    );
  }
}
rmSync(dir, { recursive: true, force: true });
