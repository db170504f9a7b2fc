/** Commands agents use to look at files, and how much of each file they show. Each really runs. */

export interface Case {
  readonly line: string;
  readonly whole?: readonly string[];
  readonly part?: readonly string[];
}

const body = (name: string, lines: number): string =>
  Array.from(
    { length: lines },
    (_, nth) => `export const ${name}${nth} = ${nth} * ${name.length}; // ${name}`,
  )
    .map((line, nth) => (nth % 7 === 3 ? '' : line))
    .join('\n');

const HEAD =
  '// Licensed to whoever wants it, under the terms of nobody\n// at all, and without warranty of any kind.\n\n';

export const FILES: Readonly<Record<string, string>> = {
  'a.ts': `${HEAD}${body('alpha', 40)}\n`,
  'b.ts': `${HEAD}${body('beta', 25)}\n`,
  'note.md': '# Notes\n\n- first point of some length\n- second point\n\n```sh\nnpm test\n```\n',
  'crlf.txt': 'first line here\r\nsecond line here\r\nthird line here\r\n',
  'tiny.txt': 'abc\n',
  'no-end.txt': 'this has no newline\nat its end, none',
  'margins.txt': '\n\n  indented first line\nsecond line of it\n\n\n',
  'data.json': `${JSON.stringify({ name: 'x', list: [1, 2, 3], nested: { deep: true } }, null, 2)}\n`,
  'twice.txt': 'same line of text, again and again\n'.repeat(12),
  'long.txt': `${Array.from({ length: 3000 }, (_, nth) => `line ${nth} of a long file with words`).join('\n')}\n`,
  'sub/d.ts': `${body('delta', 12)}\n`,
  'sub/e.ts': `${body('epsilon', 9)}\n`,
  'space name.txt': 'a file with a blank\nin its own name\n',
  'show.sh': 'cat tiny.txt note.md\n',
};

/** The whole file is shown. */
const WHOLE: readonly Case[] = [
  { line: 'cat a.ts', whole: ['a.ts'] },
  { line: 'cat a.ts b.ts', whole: ['a.ts', 'b.ts'] },
  { line: 'cat -n a.ts', whole: ['a.ts'] },
  { line: 'nl -ba a.ts', whole: ['a.ts'] },
  { line: 'cat a.ts | head -100', whole: ['a.ts'] },
  { line: 'head -100 a.ts', whole: ['a.ts'] },
  { line: 'tail -n +1 a.ts b.ts', whole: ['a.ts', 'b.ts'] },
  { line: 'head -50 a.ts b.ts', whole: ['a.ts', 'b.ts'] },
  { line: "sed -n '1,80p' a.ts", whole: ['a.ts'] },
  { line: "sed -n '1,20p' a.ts && sed -n '21,80p' a.ts", whole: ['a.ts'] },
  { line: "sed '' b.ts", whole: ['b.ts'] },
  { line: "awk '{print}' b.ts", whole: ['b.ts'] },
  { line: 'grep -n "" a.ts', whole: ['a.ts'] },
  { line: 'grep -n "" a.ts b.ts', whole: ['a.ts', 'b.ts'] },
  { line: 'cd sub && cat d.ts', whole: ['sub/d.ts'] },
  { line: '(cd sub; cat d.ts e.ts)', whole: ['sub/d.ts', 'sub/e.ts'] },
  { line: 'cat sub/*.ts', whole: ['sub/d.ts', 'sub/e.ts'] },
  { line: 'for f in a.ts b.ts; do echo "=== $f"; cat "$f"; done', whole: ['a.ts', 'b.ts'] },
  { line: 'for f in sub/*; do echo "--- $f ---"; cat $f; done', whole: ['sub/d.ts', 'sub/e.ts'] },
  { line: 'find sub -name "*.ts" -exec cat {} +', whole: ['sub/d.ts', 'sub/e.ts'] },
  { line: 'ls && cat note.md', whole: ['note.md'] },
  { line: 'git status --short; cat note.md data.json', whole: ['note.md', 'data.json'] },
  { line: 'cat ./a.ts 2>&1 | head -n 60', whole: ['a.ts'] },
  { line: 'cat "space name.txt"', whole: ['space name.txt'] },
  { line: "cat 'space name.txt' tiny.txt", whole: ['space name.txt'] },
  { line: 'cat crlf.txt', whole: ['crlf.txt'] },
  { line: 'cat tiny.txt', whole: ['tiny.txt'] },
  { line: 'cat no-end.txt', whole: ['no-end.txt'] },
  { line: 'cat margins.txt', whole: ['margins.txt'] },
  { line: 'echo start; cat margins.txt; echo end', whole: ['margins.txt'] },
  { line: 'python3 -c "print(open(\'data.json\').read())"', whole: ['data.json'] },
  { line: "node -e \"console.log(fs.readFileSync('note.md','utf8'))\"", whole: ['note.md'] },
  { line: 'cat < note.md', whole: ['note.md'] },
  { line: 'f=a.ts; cat $f; wc -l $f', whole: ['a.ts'] },
  { line: 'tac a.ts | tac', whole: ['a.ts'] },
  { line: 'cat a.ts; false', whole: ['a.ts'] },
  { line: 'cat a.ts missing.ts', whole: ['a.ts'] },
  { line: 'pr -t -l1 note.md >/dev/null; cat note.md', whole: ['note.md'] },
  { line: 'cat data.json; exit 3', whole: ['data.json'] },
  { line: 'git show HEAD:b.ts', whole: ['b.ts'] },
  { line: 'git diff --no-index --no-prefix /dev/null tiny.txt; cat b.ts', whole: ['b.ts'] },
  { line: "sed -n 'p' a.ts | cat -n", whole: ['a.ts'] },
  { line: 'xargs -n1 cat <<< "a.ts b.ts"', whole: ['a.ts', 'b.ts'] },
];

/** Part of the file is shown. */
const PART: readonly Case[] = [
  { line: 'head -20 a.ts', part: ['a.ts'] },
  { line: 'tail -15 a.ts', part: ['a.ts'] },
  { line: "sed -n '10,25p' a.ts", part: ['a.ts'] },
  { line: "sed -n '10,25p' a.ts; sed -n '30,40p' a.ts", part: ['a.ts'] },
  { line: 'grep -n "alpha1" a.ts', part: ['a.ts'] },
  { line: 'grep -rn "delta" sub', part: ['sub/d.ts'] },
  { line: 'cat long.txt', part: ['long.txt'] },
  { line: 'cat long.txt; false', part: ['long.txt'] },
  { line: 'head -5 long.txt && tail -5 long.txt', part: ['long.txt'] },
  { line: "awk 'NR>=5 && NR<=15' b.ts", part: ['b.ts'] },
  { line: 'cat -n a.ts | sed -n "5,9p"', part: ['a.ts'] },
  { line: 'grep -A3 -n "beta4" b.ts', part: ['b.ts'] },
];

/** The line names a file, but shows nothing of it that could be proven. */
const NOTHING: readonly Case[] = [
  { line: 'wc -l a.ts' },
  { line: 'ls -la a.ts b.ts' },
  { line: 'grep -c alpha a.ts' },
  { line: 'cat a.ts > /dev/null' },
  { line: 'cat a.ts | md5sum' },
  { line: 'cat a.ts | tr a-z A-Z' },
  { line: 'node --check show.sh || true; echo a.ts' },
  { line: 'echo "cat a.ts"' },
  { line: 'git log --oneline -- a.ts' },
  { line: 'diff a.ts a.ts && echo same' },
  { line: 'head -3 a.ts | tail -1' },
  { line: 'grep -h "^//" a.ts b.ts | head -1' },
  { line: 'cat twice.txt | head -3' },
  { line: 'awk \'{print NR": "$0}\' twice.txt' },
  { line: 'cat a.ts | rev' },
  { line: 'cat a.ts | cut -c1-10' },
  { line: 'base64 a.ts' },
  { line: 'xxd a.ts | head' },
  { line: 'stat a.ts; file b.ts' },
  { line: 'echo abc | grep -v abc; echo tiny.txt' },
];

/** All of a file is shown without proof: it is too short, numbered differently, or not named in the line. */
const MISSED: readonly Case[] = [
  { line: 'echo x; cat tiny.txt; echo y' },
  { line: 'awk \'{print NR": "$0}\' a.ts' },
  { line: 'bash show.sh' },
];

export const CASES = { WHOLE, PART, NOTHING, MISSED };
