// Cold processes, interleaved: every round runs each variant once, in a rotated order, so that a noisy
// machine affects all of them equally. Wall time is measured here; CPU time is reported by the child when it ends.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SAY_CPU = `\n;{const {user,system}=process.cpuUsage();require('node:fs').writeSync(2,String(user+system));}`;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Runs CommonJS sources `{ name: source }` `runs` times each; the first is the baseline for the others. */
export function measureCold(sources, { runs, args = {}, execArgv = [] }) {
  const dir = mkdtempSync(join(tmpdir(), 'guard-bench-'));
  try {
    const names = Object.keys(sources);
    for (const name of names) writeFileSync(join(dir, `${name}.cjs`), sources[name] + SAY_CPU);
    const samples = Object.fromEntries(names.map((name) => [name, []]));
    for (let round = 0; round < runs + 2; round++) {
      for (let i = 0; i < names.length; i++) {
        const name = names[(i + round) % names.length];
        const start = process.hrtime.bigint();
        const run = spawnSync(
          process.execPath,
          [...execArgv, join(dir, `${name}.cjs`), ...(args[name] ?? [])],
          { encoding: 'utf8' },
        );
        const wall_ms = Number(process.hrtime.bigint() - start) / 1e6;
        if (run.status !== 0) throw new Error(`${name}: ${run.stderr.slice(-400)}`);
        // The first two rounds fill the page cache.
        if (round >= 2) samples[name].push({ wall_ms, cpu_ms: Number(run.stderr) / 1000, out: run.stdout });
      }
    }
    return summarise(names, samples);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function summarise(names, samples) {
  const floor = samples[names[0]];
  return names.map((name) => {
    const of = (pick) => samples[name].map(pick);
    const above = (pick) => median(samples[name].map((sample, i) => pick(sample) - pick(floor[i])));
    const min = (list, pick) => Math.min(...list.map(pick));
    const wall = (sample) => sample.wall_ms;
    const cpu = (sample) => sample.cpu_ms;
    return {
      name,
      out: samples[name][0].out,
      min_ms: min(samples[name], wall),
      median_ms: median(of(wall)),
      above_min_ms: min(samples[name], wall) - min(floor, wall),
      above_median_ms: above(wall),
      above_cpu_ms: above(cpu),
      above_cpu_min_ms: min(samples[name], cpu) - min(floor, cpu),
    };
  });
}

export function printTable(title, rows) {
  const figure = (value) => value.toFixed(1).padStart(9);
  process.stdout.write(
    `\n${title}\n${'variant'.padEnd(28)}      min   median |  +min +median  +cpu  +cpu min  (ms, + = above the first line)\n`,
  );
  for (const row of rows) {
    const cells = [
      row.min_ms,
      row.median_ms,
      row.above_min_ms,
      row.above_median_ms,
      row.above_cpu_ms,
      row.above_cpu_min_ms,
    ];
    process.stdout.write(`${row.name.padEnd(28)}${cells.map(figure).join('')}\n`);
  }
}

export function describeMachine() {
  process.stdout.write(`Node ${process.version}, ${process.platform} ${process.arch}\n`);
}
