// Other tools that hook the same event, if npm has them: installed into the benchmark's own directory without running install
// scripts. They check something else (whether a command destroys, not whose files it writes); their figures are for scale.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const LIMIT_MS = 60_000;

/** Versions are pinned, so that figures belong to a known one. */
const RIVALS = [
  {
    name: 'cc-safety-net 2.4.5: PreToolUse Bash',
    package: 'cc-safety-net@2.4.5',
    program: 'cc-safety-net/dist/bin/cc-safety-net.js',
    args: 'hook --claude-code',
    event: () => ({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } }),
  },
];

/** The tools that could be installed here; reports the ones that are left out. */
export function installRivals(scratch) {
  if (process.env.GUARD_BENCH_RIVALS === '0') return [];
  return RIVALS.flatMap(({ name, package: wanted, program, args, event }) => {
    const dir = path.join(scratch, 'rivals');
    const install = [
      'install',
      '--prefix',
      dir,
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      wanted,
    ];
    try {
      execFileSync('npm', install, { stdio: ['ignore', 'ignore', 'pipe'], timeout: LIMIT_MS });
    } catch {
      console.warn(`LEFT OUT: ${wanted} cannot be installed from npm here.`);
      return [];
    }
    const file = path.join(dir, 'node_modules', program);
    return [{ name, event, lineFor: (node) => `'${node}' '${file}' ${args}` }];
  });
}
