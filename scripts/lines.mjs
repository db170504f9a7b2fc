// How many lines of code src/ has, without comments and blank lines: now, or how a range of commits changed that.
//
//   node scripts/lines.mjs                     by folder, in the working tree
//   node scripts/lines.mjs A..B [A..B …]       changes of each range, by folder
//   node scripts/lines.mjs --commits A..B      changes of each commit in the range, largest first
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const MAX_BYTES = 512 * 1024 * 1024;

const git = (args, input) =>
  execFileSync('git', args, { cwd: root, input, maxBuffer: MAX_BYTES, stdio: ['pipe', 'pipe', 'inherit'] });

/** Counted as in test/architecture. */
const linesOf = (text) => text.split('\n').filter((line) => !/^\s*(?:$|\/\/|\/\*|\*)/.test(line)).length;

const folderOf = (path) => path.split('/')[1];
const isSource = (path) => path.startsWith('src/') && path.endsWith('.ts');

function byFolder(rows) {
  const sums = new Map();
  for (const [path, lines] of rows) sums.set(folderOf(path), (sums.get(folderOf(path)) ?? 0) + lines);
  return [...sums].filter(([, lines]) => lines !== 0).sort((a, b) => b[1] - a[1]);
}

const here = () =>
  readdirSync(join(root, 'src'), { recursive: true })
    .map((path) => `src/${path}`)
    .filter(isSource)
    .map((path) => [path, linesOf(readFileSync(join(root, path), 'utf8'))]);

/** Lines of blobs, each read once. */
function linesOfBlobs(ids) {
  const lines = new Map();
  const wanted = [...new Set(ids)].filter((id) => !/^0+$/.test(id));
  if (wanted.length === 0) return lines;
  const answer = git(['cat-file', '--batch'], `${wanted.join('\n')}\n`);
  for (let at = 0; at < answer.length;) {
    const end = answer.indexOf(10, at);
    const [id, , size] = answer.toString('latin1', at, end).split(' ');
    const begin = end + 1;
    at = begin + Number(size) + 1;
    lines.set(id, linesOf(answer.toString('utf8', begin, at - 1)));
  }
  return lines;
}

/** For each file of src/, how many more lines it has at `to` than at `from`. */
function changesBetween(from, to) {
  const raw = git(['diff', '--raw', '--no-renames', '--no-abbrev', '-z', from, to, '--', 'src']).toString();
  const fields = raw.split('\0');
  const files = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, , before, after] = fields[at].split(' ');
    if (isSource(fields[at + 1])) files.push({ path: fields[at + 1], before, after });
  }
  const lines = linesOfBlobs(files.flatMap(({ before, after }) => [before, after]));
  return files.map(({ path, before, after }) => [path, (lines.get(after) ?? 0) - (lines.get(before) ?? 0)]);
}

const sum = (rows) => rows.reduce((total, [, lines]) => total + lines, 0);
const signed = (lines) => (lines > 0 ? `+${lines}` : String(lines));

function showRange(range) {
  const [from, to] = range.split('..');
  const rows = changesBetween(from, to);
  const folders = byFolder(rows).map(([folder, lines]) => `${folder} ${signed(lines)}`);
  console.log(`${range}: ${signed(sum(rows))} (${folders.join(', ')})`);
}

function showCommits(range) {
  const commits = git(['log', '--no-merges', '--format=%h %s', range]).toString().trim().split('\n');
  const rows = commits.map((line) => {
    const [id] = line.split(' ');
    return [line, sum(changesBetween(`${id}~1`, id))];
  });
  for (const [line, lines] of rows.sort((a, b) => a[1] - b[1])) console.log(`${signed(lines)}\t${line}`);
  console.log(`${signed(sum(rows))}\tin ${rows.length} commits`);
}

const [first, ...others] = process.argv.slice(2);
if (first === undefined) {
  const rows = here();
  for (const [folder, lines] of byFolder(rows)) console.log(`${lines}\t${folder}`);
  console.log(`${sum(rows)}\tin ${rows.length} files`);
} else if (first === '--commits') others.forEach(showCommits);
else [first, ...others].forEach(showRange);
