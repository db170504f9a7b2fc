// Runs a line with sh, as the client starts its hooks, and returns wall and CPU milliseconds, including all descendants.
import { spawnSync } from 'node:child_process';

/** A perl program that runs a line with sh and prints the wall and CPU milliseconds of it and its descendants. */
const TIMED = `
use Time::HiRes qw(time);
open(my $say, '>&=', 3); $say->autoflush(1);
my $began = time;
system('/bin/sh', '-c', $ARGV[0]);
my $wall = time - $began;
syscall($ARGV[1], -1, my $used = "\\0" x 256);
my ($user, $user_us, $system, $system_us) = unpack('q4', $used);
printf $say '%f %f', 1000 * $wall, 1000 * ($user + $system) + ($user_us + $system_us) / 1000;
exit($? >> 8);`;
const GETRUSAGE = { x64: '98', arm64: '165' }[process.arch];

/** As src/install/command.ts writes it. */
export const lineOf = (node, program) =>
  `N='${node}'; [ -x "$N" ] || N=node; NODE_EXTRA_CA_CERTS= "$N" '${program}' guard`;

/** @param at `cwd` and `env` of the client; `input` for the line */
export function timed(line, at) {
  const options = { ...at, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe', 'pipe'] };
  const { status, stderr, output } = spawnSync(
    'perl',
    ['-MIO::Handle', '-e', TIMED, line, GETRUSAGE],
    options,
  );
  if (status !== 0) throw new Error(`exit ${status}: ${stderr}`);
  const [wall_ms, cpu_ms] = output[3].split(' ').map(Number);
  return { wall_ms, cpu_ms };
}
