// Makes binary/guard-<platform>-<arch>: this Node with guard's program inside, as a single executable application.
//   node scripts/binary.mjs [FILE]
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { inject } from 'postject';
import { load } from './generated.mjs';
import { packedManifest } from './manifest.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { platform, arch, execPath } = process;

/** Marks where a Node looks whether it is a single executable application; a Node that is a shared library has none here. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const work = mkdtempSync(join(tmpdir(), 'guard-binary-'));
try {
  await make(resolve(process.argv[2] ?? join(root, 'binary', `guard-${platform}-${arch}`)));
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function make(out) {
  if (!readFileSync(execPath).includes(FUSE))
    throw new Error(
      `${execPath} cannot contain a program: it was built without support for it, or as a shared library.`,
    );
  const program = await stage();
  await bundleMain(program.name);
  const assets = Object.fromEntries(program.files.map(({ path }) => [path, join(work, 'program', path)]));
  const contents = join(work, 'contents.json');
  writeFileSync(contents, JSON.stringify({ digest: program.digest, files: program.files }));
  const config = {
    ...{ main: join(work, 'main.cjs'), output: join(work, 'blob') },
    ...{ disableExperimentalSEAWarning: true, useCodeCache: false, useSnapshot: false },
    assets: { ...assets, 'contents.json': contents },
  };
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
  run(execPath, ['--experimental-sea-config', join(work, 'sea.json')]);
  const made = join(work, 'made');
  copyFileSync(execPath, made);
  chmodSync(made, 0o755);
  if (platform === 'darwin') run('codesign', ['--remove-signature', made]);
  await quietly(() =>
    inject(made, 'NODE_SEA_BLOB', readFileSync(join(work, 'blob')), {
      sentinelFuse: FUSE,
      ...(platform === 'darwin' ? { machoSegmentName: 'NODE_SEA' } : {}),
    }),
  );
  if (platform === 'darwin') run('codesign', ['--sign', '-', made]);
  mkdirSync(dirname(out), { recursive: true });
  // Beside it first: a file that runs cannot be written, but it can be replaced.
  copyFileSync(made, `${out}.tmp`);
  renameSync(`${out}.tmp`, out);
  const [size, node] = [out, execPath].map((file) => (statSync(file).size / 1e6).toFixed(1));
  process.stdout.write(`${out}: ${size} MB, of which Node ${process.versions.node} is ${node} MB\n`);
}

/** The files of the program as the package would have them. */
async function stage() {
  const { programContent, programFiles } = await load('src/install/program/content.ts');
  const to = join(work, 'program');
  for (const path of programFiles(root).filter((file) => file !== 'dist/made-of.json'))
    cpSync(join(root, path), join(to, path));
  writeFileSync(join(to, 'package.json'), packedManifest());
  const files = programFiles(to).map((path) => ({ path, mode: statSync(join(to, path)).mode & 0o755 }));
  return { ...programContent(to), files };
}

async function bundleMain(name) {
  await build({
    ...{ absWorkingDir: root, entryPoints: ['src/standalone/main.ts'], outfile: join(work, 'main.cjs') },
    ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20.19', minify: true },
    ...{ mainFields: ['module', 'main'], legalComments: 'none', logLevel: 'warning' },
    define: { PROGRAM: JSON.stringify(name), 'import.meta.filename': '__filename' },
  });
}

function run(program, args) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
}

/** postject's reader of ELF files prints a warning for each section without a name in the Node that it is given. */
async function quietly(act) {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    await act();
  } finally {
    console.warn = warn;
  }
}
