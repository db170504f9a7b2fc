// The engine for the ledger's benchmark: one minified file for the cold processes, and one for this process.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

const policy = `{ enforcement: 'required', unread: 'changed', ttl_ms: 900000, idle_ms: 180000, release_on: 'stop',
  wanted_ms: 120000, victim: 'youngest', resolve: 'notify' }`;

const IMPORTS = `
  import { openEmbedded } from './test/store/plain.ts';
  import { operate } from './src/store/operate.ts';
  import { readNow } from './src/repo/clock.ts';
  const facts = () => ({ now: readNow(), policy: ${policy}, machine: 'bench', isDead: () => false, guard_command: 'guard' });
  const whoIs = (id) => ({ id, kind: 'session', parent: null, session: id, proc: null });
  const lock = (store, id, paths) => operate(store.store, { type: 'lock.acquire', who: whoIs(id), paths, mode: 'exclusive',
    ttl_ms: null, all: false, wait_until_mono_ms: null }, facts());
  const reserve = (store, id, patterns) => operate(store.store, { type: 'reserve', who: whoIs(id), scope: '', patterns,
    mode: 'exclusive', reason: 'bench', ttl_ms: 900000, all: false, dry: false }, facts());
  const release = (store, id, paths) => operate(store.store, { type: 'lock.release', who: whoIs(id), paths }, facts());
`;

/** A cold process: `program STATE AGENT PATH [DURABILITY]`. */
const PROGRAM = `${IMPORTS}
  const [state, agent, path, durability = 'process'] = process.argv.slice(2);
  const store = openEmbedded(state, { now: readNow, durability, lock_deadline_ms: 60000 });
  lock(store, agent, [path]);
  release(store, agent, [path]);
`;

const PARTS = `${IMPORTS}
  import { consult } from './src/store/transact.ts';
  import { listAgents } from './src/core/rules/profile.ts';
  import { statusOf } from './src/core/report.ts';
  export { openRemembered } from './src/store/embedded/remembered.ts';
  import { LIST_RESERVATIONS } from './src/operations/reservation-list.ts';
  export { openEmbedded, lock, reserve, release, readNow };
  const asked = (store, event) => operate(store.store, event, facts());
  const seen = (store, see) => consult(store.store, (view) => see(view, facts()));
  export const check = (store, id, patterns) => asked(store, { type: 'reserve', who: whoIs(id), scope: '', patterns,
    mode: 'exclusive', reason: 'bench', ttl_ms: 900000, all: false, dry: true });
  const space = (store, who) => ({ store: store.store, facts, who, repo: { root: '/bench', state_dir: '/bench/.guard' },
    state_dir: '/bench', config: {}, env: {}, cwd: '/bench' });
  export const listed = (store, id, mine) => LIST_RESERVATIONS.run({ mine }, space(store, whoIs(id)));
  export const agents = (store) => seen(store, listAgents);
  export const status = (store) => seen(store, statusOf);
  export { verifyLedger } from './src/store/embedded/verify.ts';
  export { chooseFlock } from './src/store/flock/flock.ts';
`;

const bundle = (contents, outfile) =>
  build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    // Pretends to be in dist/, because guard looks for the native lock next to it.
    define: {
      'import.meta.url': '__file_url',
      'import.meta.filename': JSON.stringify(join(root, 'dist/bench.cjs')),
    },
    banner: { js: `const __file_url = ${JSON.stringify(`file://${root}/package.json`)};` },
    logLevel: 'error',
    outfile,
  });

/** Starts from V8's compiled form, as the hook does. With KEEP in the environment it writes that form. */
const LOADER = `
  const fs = require('node:fs');
  const vm = require('node:vm');
  const [source, compiled] = ['/source.cjs', '/source.compiled'].map((name) => __dirname + name);
  const text = '(function(exports,require,module,__filename,__dirname){' + fs.readFileSync(source, 'utf8') + '})';
  const cachedData = process.env.KEEP ? undefined : fs.readFileSync(compiled);
  const script = new vm.Script(text, { filename: source, cachedData });
  if (script.cachedDataRejected) throw new Error('the compiled form was rejected');
  script.runInThisContext()({}, require, {}, source, __dirname);
  if (process.env.KEEP) fs.writeFileSync(compiled, script.createCachedData());
`;

export async function buildParts(dir) {
  const out = join(root, 'node_modules/.cache/guard-bench');
  const program = join(out, 'acquire-release.cjs');
  const file = join(out, 'parts.cjs');
  await Promise.all([bundle(PROGRAM, join(out, 'source.cjs')), bundle(PARTS, file)]);
  writeFileSync(program, LOADER);
  const place = mkdtempSync(join(dir, 'compiled-'));
  execFileSync(process.execPath, [program, place, 'claude-a', 'a'], { env: { KEEP: '1' } });
  return { program, parts: partsOf(createRequire(import.meta.url)(file), dir) };
}

const state = (agent, n) => ({
  holds: [
    {
      agent,
      mode: 'exclusive',
      token: n + 1,
      epoch: 1,
      since_wall_ms: n,
      since_mono_ms: n,
      boot: 'before',
      ttl_ms: 900_000,
    },
  ],
  queue: [],
  intent: null,
  last_write: null,
  touched: n,
});

/** Number of keys in the filler: by default as many files as agents touch in a large repository. */
const FILES = Number(process.env.GUARD_BENCH_KEYS ?? 100_000);
const AT_ONCE = 500;

function partsOf({
  openEmbedded,
  openRemembered,
  verifyLedger,
  chooseFlock,
  readNow,
  lock,
  reserve,
  release,
  ...parts
}) {
  const granted = (rows, isGranted) => {
    if (!rows.every(isGranted)) throw new Error('not granted');
  };
  return {
    ...parts,
    open: (dir, remembered) => openEmbedded(dir, { now: readNow, remembered }),
    openRemembered,
    bytesOf: (dir) =>
      readdirSync(dir)
        .filter((name) => name.startsWith('ledger-'))
        .reduce((sum, name) => sum + statSync(join(dir, name)).size, 0),
    lockAll: (store, agent, paths) => granted(lock(store, agent, paths), ({ acquired }) => acquired),
    reserveAll: (store, agent, patterns) =>
      granted(reserve(store, agent, patterns), ({ reservation }) => reservation !== null),
    lockAndRelease(store, agent, path) {
      lock(store, agent, [path]);
      release(store, agent, [path]);
    },
    flockName: () => chooseFlock().name,
    verify: (dir) => verifyLedger(dir),
    /** Writes grants in guard's own form over many files, by agents of another boot. */
    fill(dir, records) {
      const store = openEmbedded(dir, { now: readNow });
      for (let at = 0; at < records; at += AT_ONCE) {
        const bodies = Array.from({ length: Math.min(AT_ONCE, records - at) }, (_, i) => {
          const n = at + i;
          const agent = `claude-00000000-0000-4000-8000-${String(n % 200).padStart(12, '0')}`;
          const path = `src/part-${(n % FILES) % 97}/file-${n % FILES}.ts`;
          return {
            type: 'hold',
            agent,
            ts_ms: 1_700_000_000_000 + n,
            path,
            s: { [`path:${path}`]: state(agent, n) },
          };
        });
        store.transactSync([], () => ({ records: bodies, result: null }));
      }
    },
    lease(dir, count) {
      const store = openEmbedded(dir, { now: readNow });
      for (let at = 0; at < count; at += AT_ONCE) {
        const paths = Array.from(
          { length: Math.min(AT_ONCE, count - at) },
          (_, i) => `held/file-${at + i}.ts`,
        );
        lock(store, 'claude-holder', paths);
      }
    },
    /** @param patternOf returns the nth glob; each agent has 50 */
    reserve(dir, count, patternOf) {
      const store = openEmbedded(dir, { now: readNow });
      for (let at = 0; at < count; at += 50) {
        const patterns = Array.from({ length: Math.min(50, count - at) }, (_, i) => patternOf(at + i));
        const got = reserve(store, `claude-reserver-${at}`, patterns);
        if (got.some(({ reservation }) => reservation === null)) throw new Error('not reserved');
      }
    },
    openStore(scratch, durability) {
      const dir = join(scratch, `store-${durability}`);
      mkdirSync(dir, { mode: 0o700 });
      const store = openEmbedded(dir, { now: readNow, durability });
      return (n) =>
        store.transactSync([`path:${n % 50}`], () => ({
          records: [{ type: 'hold', agent: 'a', ts_ms: 0, s: { [`path:${n % 50}`]: state('a', n) } }],
          result: null,
        }));
    },
    /** Milliseconds of CPU for the first transaction after the index, and optionally every checkpoint, was deleted. */
    rebuild(dir, checkpoints) {
      for (const name of readdirSync(dir))
        if (name === 'index' || (!checkpoints && name.startsWith('checkpoint-'))) rmSync(join(dir, name));
      const store = openEmbedded(dir, { now: readNow, lock_deadline_ms: 60_000 });
      const begin = process.cpuUsage();
      store.transactSync([], () => ({ records: [], result: null }));
      const { user, system } = process.cpuUsage(begin);
      return (user + system) / 1e3;
    },
  };
}
