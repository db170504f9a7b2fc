// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * The files of the home that never move: they start what current.json names. Every guard that moves the pointer writes
 * them, so they contain as little as possible. A version stays on disk long after the pointer has left it (retire.ts), so a
 * process that reads the pointer just before it moves still finds a complete program.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_NAME } from '../package-name.ts';
import { launcherName } from '../warm-line.ts';
import { VERSIONS } from './home.ts';
import { replaceFile, replaceLink } from './whole-file.ts';

const NAME = '/^\\d[\\w.+-]*$/';

/**
 * Runs before every tool call: one more small file to read, and no more modules to load. If it is damaged, the entries for
 * writes turn exit 1 into a denial (command.ts). All other events proceed: exit 2 would take the shell from the agent and
 * every prompt from the user, and keep the session from ending.
 */
const HOOK = `// Starts the hook of the guard in use. Made by guard; see current.json.
'use strict';
const home = __dirname.slice(0, -'/dist'.length);
try {
  const { dir } = JSON.parse(require('fs').readFileSync(home + '/current.json', 'utf8'));
  if (!${NAME}.test(dir)) throw new Error('current.json names no version');
  require(home + '/versions/' + dir + '/dist/hook.cjs');
} catch (error) {
  process.stderr.write('guard: ' + home + ' is damaged (' + error.message + '). Install guard again, and run "guard init".\\n');
  process.exitCode = 1;
}
`;

const COMMAND = `#!/usr/bin/env node
// Starts the guard in use. Made by guard; see current.json.
'use strict';
const home = __dirname.slice(0, -'/bin'.length);
const { dir } = JSON.parse(require('fs').readFileSync(home + '/current.json', 'utf8'));
if (!${NAME}.test(dir)) throw new Error('current.json names no version');
require(home + '/versions/' + dir + '/bin/guard.cjs');
`;

/** If there is a native program that asks, it is a link to that of the guard in use. */
const WARM = `# Asks the server of the guard in use. Made by guard; see current.json.
my ($home) = __FILE__ =~ m{^(.*)/dist/}s;
my ($file, $text, $dir);
$text = readline $file if open $file, '<', "$home/current.json";
($dir) = $text =~ /"dir":"(\\d[\\w.+-]*)"/ if defined $text;
do "$home/versions/$dir/dist/warm.pl" if defined $dir;
exec { $ARGV[0] } @ARGV;
`;

/** The name in settings and permission rules of earlier versions. */
const EARLIER_COMMAND = `#!/usr/bin/env node
// The same under its earlier name.
import { createRequire } from 'node:module';

createRequire(import.meta.url)('./guard.cjs');
`;

/** Launchers of version 0.1 run only a package named guard. Without "type", dist/hook.cjs is what its extension says. */
const PACKAGE = `${JSON.stringify({ name: PACKAGE_NAME, private: true })}\n`;

/** @param dir name of the version in use, in `versions` */
export function writeStubs(home: string, dir: string): void {
  replaceFile(join(home, 'package.json'), PACKAGE);
  replaceFile(join(home, 'dist', 'hook.cjs'), HOOK);
  const launcher = launcherName();
  replaceFile(join(home, 'dist', 'warm.pl'), WARM);
  replaceFile(join(home, 'bin', 'guard.cjs'), COMMAND, 0o755);
  replaceFile(join(home, 'bin', 'guard.mjs'), EARLIER_COMMAND, 0o755);
  if (launcher === 'warm') return;
  const [link, target] = [join(home, 'dist', launcher), join('..', VERSIONS, dir, 'dist', launcher)];
  // That of an earlier version would ask for servers of that version.
  if (existsSync(join(home, 'dist', target))) replaceLink(link, target);
  else rmSync(link, { force: true });
}
