// The fence's cost per command: milliseconds above the same shell without it, by the number of files that other agents
// hold; and the cost of a grant next to 10,000 leases. Minimum of interleaved runs, because the machine is shared.
// npm run bench:fence [ROUNDS]
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const fence = join(dirname(fileURLToPath(import.meta.url)), '../../fence');
const rounds = Number(process.argv[2] ?? 20);
const base = realpathSync(mkdtempSync(join(tmpdir(), 'guard-bench-fence-')));
const perl = '/usr/bin/perl';

/** A repository's fence directory in which another agent holds this many files. */
function site(files) {
  const dir = join(base, String(files));
  mkdirSync(join(dir, 'run'), { recursive: true });
  mkdirSync(join(dir, 'src'));
  const lines = Array.from({ length: files }, (_, nth) => {
    writeFileSync(join(dir, `src/${nth}.txt`), '');
    return `claude-other\tF\t${dir}/src/${nth}.txt\t\t`;
  });
  writeFileSync(
    join(dir, 'held'),
    ['#' + (files > 0 ? ' claude-other' : ''), '# due 0 -', ...lines, ''].join('\n'),
  );
  return dir;
}

const preamble = (dir, helper) =>
  `GUARD_FENCE_AT='${dir}' GUARD_FENCE_OF='claude-me' GUARD_FENCE_BY='${helper.by}' ` +
  `GUARD_FENCE_HELPER='${fence}/${helper.file}' GUARD_FENCE_MODE=open; [ -r '${fence}/pre.sh' ] && . '${fence}/pre.sh'; :`;

const HELPERS = { perl: { by: perl, file: 'fence.pl' }, bwrap: { by: '/bin/sh', file: 'bwrap.sh' } };
const cases = [{ name: 'bash', text: ':' }];
for (const files of [0, 1, 10, 64, 256, 1000]) {
  const dir = site(files);
  for (const [name, helper] of Object.entries(HELPERS)) {
    if (name === 'bwrap' && (files === 0 || files > 64)) continue;
    cases.push({ name: `${name} ${files}`, text: `${preamble(dir, helper)} && eval ':' < /dev/null` });
  }
}

const least = new Map();
for (let round = 0; round < rounds; round += 1) {
  for (const { name, text } of cases) {
    const begin = process.hrtime.bigint();
    const { status, stderr } = spawnSync('/bin/bash', ['-c', text], { timeout: 30_000 });
    const took = Number(process.hrtime.bigint() - begin) / 1e6;
    if (status !== 0) throw new Error(`${name}: ${String(stderr)}`);
    least.set(name, Math.min(took, least.get(name) ?? Infinity));
  }
}
const bash = least.get('bash');
console.log(`bash alone ${bash.toFixed(1)} ms, least of ${rounds}`);
for (const [name, took] of least)
  if (name !== 'bash') console.log(`${name.padEnd(12)} + ${(took - bash).toFixed(1)} ms`);
rmSync(base, { recursive: true, force: true });
