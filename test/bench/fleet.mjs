// What lock operations of a fleet cost: 10,000 agents on 200 machines, a million files (some wanted often), against one function of SQL,
// with CPU time per operation of the server and of the client. Starts a PostgreSQL of its own, durable and on disk.
//
//   npm run bench:fleet                                                           20 s each, 16 operations at once
//   GUARD_BENCH_SECONDS=60 GUARD_BENCH_CONNECTIONS=4,16 GUARD_BENCH_AGENTS=1000 npm run bench:fleet
//   GUARD_POSTGRES_BIN=/usr/lib/postgresql/17/bin npm run bench:fleet
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const numbers = (name, usual) => (process.env[name] ?? usual).split(',').map(Number);
const [SECONDS] = numbers('GUARD_BENCH_SECONDS', '20');
const [AGENTS] = numbers('GUARD_BENCH_AGENTS', '10000');
const CONNECTIONS = numbers('GUARD_BENCH_CONNECTIONS', '16');
const [MACHINES, FILES, TURN_MS] = [200, 1_000_000, 2_000];

const root = path.join(import.meta.dirname, '../..');
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'guard-bench-fleet-'));
process.env.GUARD_TEST_RUN = scratch;
process.env.GUARD_TEST_DISK = '1';

const PARTS = `
  export { startCluster, stopCluster, asOwner } from './test/store/postgres/cluster.ts';
  export { newRepository, urlOf, ROLE } from './test/store/postgres/shared.ts';
  export { migrate, openPostgres } from './src/store/postgres/open.ts';
  export { Crowd } from './src/store/postgres/bench/load.ts';
  export { byRules } from './src/store/postgres/bench/rules.ts';
  export { makeYardstick, openYardstick } from './src/store/postgres/bench/yardstick.ts';
  export { policyOf } from './src/config/load.ts';
  export { DEFAULTS } from './src/config/schema.ts';
`;
const outfile = path.join(scratch, 'parts.mjs');
await build({
  stdin: { contents: PARTS, resolveDir: root, loader: 'ts' },
  ...{ absWorkingDir: root, bundle: true, platform: 'node', format: 'esm', target: 'node20.19', outfile },
  banner: {
    js: `import { createRequire } from 'node:module'; const require = createRequire('${root}/package.json');`,
  },
  logLevel: 'error',
});
const parts = await import(pathToFileURL(outfile).href);

/** Of all processes whose parent is the server's first one, in milliseconds: the server's own and its backends. */
function serverCpu(pid) {
  let ticks = 0;
  for (const name of fs.readdirSync('/proc').filter((one) => /^\d+$/.test(one)))
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[1] === String(pid) || name === String(pid)) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended.
    }
  return ticks * 10;
}

function figures({ tally, server_ms, client_ms }) {
  const took = tally.took_ms.toSorted((a, b) => a - b);
  const at = (share) => Number((took[Math.floor(took.length * share)] ?? 0).toFixed(1));
  const each = (ms) => Number((ms / took.length).toFixed(2));
  return {
    per_second: Math.round((took.length * 1_000) / tally.spent_ms),
    ...{
      p50_ms: at(0.5),
      p99_ms: at(0.99),
      refused: Number((tally.refused / took.length).toFixed(2)),
      doubled: tally.doubled,
    },
    ...{ server_cpu_ms: each(server_ms), client_cpu_ms: each(client_ms) },
    per_second_and_core: Math.round((took.length * 1_000) / (server_ms + client_ms)),
  };
}

const cluster = await parts.startCluster({
  settings: ['fsync=on', 'full_page_writes=on'],
  owner: process.pid,
});
try {
  for (const connections of CONNECTIONS) {
    const load = { agents: AGENTS, files: FILES, connections };
    const schema = await parts.asOwner(cluster, async (owner) => {
      await parts.migrate(owner);
      await owner.query(
        `DO $$ BEGIN CREATE ROLE ${parts.ROLE} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
      );
      return parts.makeYardstick(owner, parts.ROLE);
    });
    const repository = await parts.newRepository(cluster);
    const url = parts.urlOf(cluster);
    const store = await parts.openPostgres({ url, repository, connections, deadline_ms: 60_000 });
    const asked = { looks: 0, commits: 0 };
    const counted = {
      ...store,
      look: (...about) => (asked.looks++, store.look(...about)),
      commit: (...about) => (asked.commits++, store.commit(...about)),
    };
    const policy = parts.policyOf(parts.DEFAULTS);
    const yardstick = parts.openYardstick(url, schema, connections);
    const [rules, sql] = [parts.byRules(counted, { machines: MACHINES, policy }), yardstick].map((ways) => ({
      crowd: new parts.Crowd(load, ways),
      ...{ server_ms: 0, client_ms: 0 },
    }));
    await rules.crowd.arrive();
    Object.assign(asked, { looks: 0, commits: 0 });
    for (let left_ms = SECONDS * 1_000; left_ms > 0; left_ms -= TURN_MS)
      for (const one of [rules, sql]) {
        const [before_ms, own] = [serverCpu(cluster.pid), process.cpuUsage()];
        await one.crowd.work(Math.min(left_ms, TURN_MS));
        one.server_ms += serverCpu(cluster.pid) - before_ms;
        const { user, system } = process.cpuUsage(own);
        one.client_ms += (user + system) / 1_000;
      }
    await Promise.all([store.close(), yardstick.end()]);
    const shown = [rules, sql].map(({ crowd: { tally }, ...spent }) => figures({ tally, ...spent }));
    const operations = rules.crowd.tally.took_ms.length;
    const each = (count) => Number((count / operations).toFixed(2));
    console.log({
      ...{ connections, load: os.loadavg()[0], looks: each(asked.looks), commits: each(asked.commits) },
      ...{ rules: shown[0], one_function: shown[1] },
    });
  }
} finally {
  await parts.stopCluster(cluster);
  fs.rmSync(scratch, { recursive: true, force: true });
}
