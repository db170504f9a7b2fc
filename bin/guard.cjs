#!/usr/bin/env node
// `guard hook` runs before and after every tool call: it loads only the hook's one file. The calls that agents make all day
// load one file, too; everything else is the whole program, as modules.
'use strict';
const { existsSync, fstatSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const built = join(__dirname, '..', 'dist');
if (!existsSync(join(built, 'hook.cjs'))) {
  process.stderr.write(`guard is not built: run "npm run build" in ${join(__dirname, '..')}\n`);
  process.exit(2);
}
const [, , name, next] = process.argv;
if (name === 'hook' && next !== '--help' && next !== '-h') {
  if (isTerminal())
    process.stderr.write('guard hook: waiting for one hook event, as JSON, on standard input.\n');
  require('../dist/hook.cjs');
} else main();

/** A hook has a pipe there, whose type is enough to know, without loading anything. */
function isTerminal() {
  try {
    return fstatSync(0).isCharacterDevice() && require('node:tty').isatty(0);
  } catch {
    return false;
  }
}

async function main() {
  // Until there is an answer: work that never ends is not a yes. With an ES module as entry, Node does this itself.
  process.exitCode = 2;
  if (!(await require('../dist/guard.cjs').quick(process.argv.slice(2))))
    await import(pathToFileURL(join(built, 'cli', 'cli.mjs')).href);
}
