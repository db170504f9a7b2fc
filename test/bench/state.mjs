// The savings of two choices about state, in one warm process: a baseline next to the ledger instead of a record in it
// (docs/decisions/003), and one number for all leases of an agent instead of one state per path (004).
//   node test/bench/state.mjs [rounds]
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const rounds = Number(process.argv[2] ?? 2000);
const dir = mkdtempSync(join(tmpdir(), 'guard-state-'));

const contents = `
  export { openEmbedded } from './test/store/plain.ts';
  export { operate } from './src/store/operate.ts';
  export { baselineFiles } from './src/workspace/baseline-file.ts';
  export { readNow } from './src/repo/clock.ts';`;
await build({
  stdin: { contents, resolveDir: root, loader: 'ts' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile: join(dir, 'parts.mjs'),
  // Pretends to be in dist/, because guard looks for the native lock next to it.
  define: { 'import.meta.filename': JSON.stringify(join(root, 'dist/bench.mjs')) },
  banner: {
    js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(join(root, 'package.json'))});`,
  },
});
const { openEmbedded, operate, baselineFiles, readNow } = await import(
  pathToFileURL(join(dir, 'parts.mjs')).href
);

const store = (name) => {
  const at = mkdtempSync(join(dir, `${name}-`));
  return { at, engine: openEmbedded(at, { now: readNow }) };
};
const ledgerBytes = (at) =>
  readdirSync(at)
    .filter((name) => name.startsWith('ledger-'))
    .reduce((sum, name) => sum + statSync(join(at, name)).size, 0);
const timed = (work) => {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e6;
};
const digest = 'a'.repeat(64);

{
  const { at, engine } = store('baseline');
  const files = baselineFiles(at, 'claude-bench');
  const file_ms = timed(() => {
    for (let i = 0; i < rounds; i++) files.write(`src/f${i % 50}.ts`, { turn: 1, knows: 'content', digest });
  });
  const record_ms = timed(() => {
    for (let i = 0; i < rounds; i++) {
      const s = { [`baseline:claude-bench:src/f${i % 50}.ts`]: { turn: 1, knows: 'content', digest } };
      engine.transactSync([], () => ({
        records: [{ type: 'baseline', agent: 'claude-bench', ts_ms: 0, s }],
        result: null,
      }));
    }
  });
  console.log(`${rounds} baselines of 50 files, one process, nobody else:`);
  console.log(`  beside the ledger ${((file_ms / rounds) * 1000).toFixed(0)} µs each, 0 bytes of ledger`);
  console.log(
    `  as records        ${((record_ms / rounds) * 1000).toFixed(0)} µs each, ${Math.round(ledgerBytes(at) / rounds)} bytes of ledger each`,
  );
}

for (const leases of [10, 1000, 10_000]) {
  const { at, engine } = store(`leases-${leases}`);
  const policy = {
    enforcement: 'required',
    unread: 'changed',
    ttl_ms: 900_000,
    idle_ms: 180_000,
    release_on: 'stop',
    wanted_ms: 120_000,
  };
  const facts = () => ({
    now: readNow(),
    policy,
    machine: 'bench',
    isDead: () => false,
    guard_command: 'guard',
  });
  const who = { id: 'claude-bench', kind: 'session', parent: null, session: 'bench', proc: null };
  const paths = Array.from({ length: leases }, (_, i) => `src/dir${i % 97}/file${i}.ts`);
  const lock = () =>
    operate(
      engine.store,
      {
        type: 'lock.acquire',
        who,
        paths,
        mode: 'exclusive',
        ttl_ms: null,
        all: false,
        wait_until_mono_ms: null,
      },
      facts(),
    );
  const cost = (work) => {
    lock();
    const before = ledgerBytes(at);
    const ms = timed(work);
    return `${ms.toFixed(1)} ms, ${ledgerBytes(at) - before} bytes`;
  };
  cost(() => operate(engine.store, { type: 'turn.end', who, running: [] }, facts()));
  console.log(`end of a turn with ${leases} leases:`);
  console.log(
    `  epoch          ${cost(() => operate(engine.store, { type: 'turn.end', who, running: [] }, facts()))}`,
  );
  console.log(
    `  path by path   ${cost(() => operate(engine.store, { type: 'lock.release', who, paths }, facts()))}`,
  );
}
rmSync(dir, { recursive: true, force: true });
