// What else is asked at the same moment of a session, as far as npm has it: installed into the benchmark's own directory, none
// of its scripts run. It judges something else (whether a command destroys, not whose files it writes); its figures are for scale.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const LIMIT_MS = 60_000;

/** Each with a fixed version: figures are of that one. */
const RIVALS = [
  {
    name: 'cc-safety-net 2.4.5: PreToolUse Bash',
    package: 'cc-safety-net@2.4.5',
    program: 'cc-safety-net/dist/bin/cc-safety-net.js',
    args: 'hook --claude-code',
    event: () => ({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } }),
  },
];

/** Those that can be had here; of the others it is said that they are left out. */
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
