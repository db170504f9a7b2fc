/** A scratch directory with known files, and the changes a command really makes in it. */
import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import type { Look, LineStart } from '../../../src/shell/call.ts';
import type { Effects } from '../../../src/shell/effects.ts';
import { readLine } from '../../../src/shell/read-line.ts';

const PATCH = '--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n';

export const FILES: Readonly<Record<string, string>> = {
  'a.txt': 'one\ntwo\nthree\n',
  'b.txt': 'beta\n',
  'c d.txt': 'spaces\n',
  'n.txt': '3\n1\n2\n',
  'crlf.txt': 'x\r\ny\r\n',
  'x.c': 'int main(void) { return 0; }\n',
  'src/a.txt': 'one\ntwo\n',
  'src/b.txt': 'b\n',
  'src/deep/c.txt': 'c\n',
  'other/keep.txt': 'keep\n',
  'fix.patch': PATCH,
  'new.patch': '--- /dev/null\n+++ b/made.txt\n@@ -0,0 +1 @@\n+made\n',
  'gone.patch': '--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-beta\n',
  'write.py': 'import sys\nopen(sys.argv[1], "w").write("x")\n',
  'write.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync(process.argv[2], 'x');\n",
  'write.pl': "open(my $fh, '>', $ARGV[0]) or die;\nprint $fh 'x';\n",
  'write.sh': '#!/bin/sh\necho hi > "$1"\n',
  Makefile:
    'OUT = b.txt\nall: one two\none:\n\techo 1 > a.txt\ntwo: three\n\techo 2 > $(OUT)\nthree:\n\t@touch made.txt\nclean:\n\trm -f $(OUT)\n',
  'package.json':
    '{"name":"x","scripts":{"prefmt":"touch before","fmt":"sed -i s/one/1/ a.txt","lint":"cat","test":"true"}}\n',
  'script.sed': 's/one/1/w out.txt\n',
  'prog.awk': '{ print > "out.txt" }\n',
};

export function makeScratch(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'guard-writers-')));
  for (const [name, text] of Object.entries(FILES)) put(root, name, text);
  put(root, 'z.txt.gz', gzipSync('zipped\n'));
  mkdirSync(join(root, 'empty'));
  return root;
}

function put(root: string, name: string, content: string | Buffer): void {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode: name.endsWith('.sh') ? 0o755 : 0o644 });
  // An old time, so that a rewrite shows.
  utimesSync(path, 1_600_000_000, 1_600_000_000);
}

export const removeScratch = (root: string): void => rmSync(root, { recursive: true, force: true });

/** The disk as a hook sees it. */
export const disk: Look = {
  kind: (path) => {
    try {
      const stat = lstatSync(path);
      return stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other';
    } catch {
      return null;
    }
  },
  list: (dir) => {
    try {
      return readdirSync(dir).sort();
    } catch {
      return [];
    }
  },
  text: (path, max_bytes) => {
    try {
      const bytes = readFileSync(path);
      return bytes.length > max_bytes || bytes.includes(0) ? null : bytes.toString();
    } catch {
      return null;
    }
  },
};

export const startIn = (cwd: string, look: Look = disk): LineStart => ({
  cwd,
  home: '/home/me',
  env: { HOME: '/home/me', PATH: '/usr/bin' },
  look,
});

export const effectsIn = (root: string, line: string): Effects => readLine(line, startIn(root));

/** The system's programs first: a version manager's shim for Python takes ten times as long as Python. */
const PATH = ['/usr/bin', '/bin', process.env['PATH'] ?? ''].join(delimiter);

/** Runs the line; returns the names of everything it changed, relative to the scratch directory. */
export function changedBy(root: string, line: string): readonly string[] {
  const before = snapshot(root);
  spawnSync('bash', ['-c', line], {
    cwd: root,
    env: {
      ...{ ...process.env, PATH, LC_ALL: 'C', PYTHONDONTWRITEBYTECODE: '1' },
      npm_config_update_notifier: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  const after = snapshot(root);
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .sort();
}

function snapshot(root: string, dir = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(root, dir), { withFileTypes: true })) {
    const name = dir === '' ? entry.name : `${dir}/${entry.name}`;
    const stat = lstatSync(join(root, name));
    const mode = stat.mode.toString(8);
    if (entry.isDirectory()) {
      found.set(name, `directory ${mode}`);
      for (const [key, value] of snapshot(root, name)) found.set(key, value);
    } else if (entry.isSymbolicLink()) found.set(name, `link ${readlinkSync(join(root, name))}`);
    else if (entry.isFile())
      found.set(
        name,
        `${mode} ${String(stat.ino)} ${String(stat.mtimeMs)} ${readFileSync(join(root, name), 'base64')}`,
      );
    else found.set(name, `other ${mode}`);
  }
  return found;
}

/** `act path`, relative to the scratch directory; a tree ends in a slash. */
export const targetsOf = (effects: Effects, root: string): readonly string[] =>
  [
    ...new Set(
      effects.targets.map(
        ({ path, act, is_tree }) => `${act} ${short(path, root)}${is_tree === true ? '/' : ''}`,
      ),
    ),
  ].sort();

export const short = (path: string, root: string): string =>
  path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path === root ? '.' : path;
