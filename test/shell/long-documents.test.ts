/** A file written out in the line: its body is data, however long, and the rest of the line is still read. */
import { describe, expect, it } from 'vitest';
import { readLine } from '../../src/shell/read-line.ts';
import { startIn } from './disk.ts';

const START = startIn({ '/repo/a.ts': '' });

/** 1,000,000 characters take 46 ms, 200,000 less than 1 ms (load 20). */
const body = (chars: number): string =>
  Array.from({ length: chars / 40 }, (_, nth) => `const a${nth} = { b: [${nth}], c: 'rm x.ts' };`).join('\n');

const read = (line: string) => {
  const { targets, unresolved } = readLine(line, START);
  return [
    ...targets.map(({ act, path }) => `${act} ${path.slice('/repo/'.length)}`),
    ...unresolved.map(({ reason }) => `?${reason}`),
  ];
};

const LONG = body(200_000);

describe('is read', () => {
  it.each([
    ['a quoted delimiter', `cat > a.ts <<'EOF'\n${LONG}\nEOF\nrm b.ts`, ['write a.ts', 'remove b.ts']],
    ['a double quoted one', `cat > a.ts <<"E F"\n${LONG}\nE F\nrm b.ts`, ['write a.ts', 'remove b.ts']],
    ['a backslash before it', `tee a.ts <<\\EOF\n${LONG}\nEOF`, ['write a.ts']],
    ['tabs before the end', `cat <<-'X' > a.ts && rm b.ts\n${LONG}\n\t\tX\n`, ['write a.ts', 'remove b.ts']],
    [
      'two of them',
      `cat > a.ts <<'A'\n${LONG}\nA\ncat > b.ts <<'A'\n${LONG}\nA\n`,
      ['write a.ts', 'write b.ts'],
    ],
    ['nothing that would be run in it', `cat > a.ts <<EOF\n${LONG}\nEOF\n`, ['write a.ts']],
    ['a megabyte', `cat > a.ts <<'EOF'\n${body(1_000_000)}\nEOF`, ['write a.ts']],
    ['50 KB with many braces', `cat > a.ts <<'EOF'\n${body(60_000)}\nEOF`, ['write a.ts']],
    ['a message in a substitution', `git commit -m "$(cat <<'E'\n${LONG}\nE\n)"; rm b.ts`, ['remove b.ts']],
  ])('%s', (_, line, told) => {
    expect(read(line)).toEqual(told);
  });
});

describe('is not taken for a body', () => {
  it.each([
    ['text in quotes', `echo "<<'EOF'\n${LONG}\nEOF\nrm b.ts"`],
    ['a comment', `# <<'EOF'\n${LONG}\nEOF\nrm b.ts`],
    ['a line that goes on', `cat <<'EOF' \\\n  > c.ts\n${LONG}\nEOF\nrm b.ts`],
    ['what the shell runs', `cat > a.ts <<EOF\n$(rm x)${LONG}\nEOF\n`],
    ['one without an end', `cat > a.ts <<'EOF'\n${LONG}`],
    [
      'commands behind a quoted operator, with a mark typed elsewhere to make up for it',
      `echo "<<'EOF'"\nrm b.ts\n${LONG}\nEOF\ncat <<'X'\nguard: a long here-document\nX\n`,
    ],
    ['two of one line', `cat <<'A' <<'B'\n${LONG}\nA\n${LONG}\nB\n`],
  ])('%s', (_, line) => {
    expect(read(line)).toEqual(['?limit']);
  });
});

it.each(['bash', 'python3', 'sh -s'])('code for %s that nobody read is said to be', (program) => {
  expect(read(`${program} <<'EOF'\n${LONG}\nEOF\nrm b.ts`)).toEqual(['remove b.ts', '?input']);
});

it.each([
  ['delimiters that are everywhere', "cat <<'a'\n".repeat(100_000)],
  ['one that ends many lines', `cat <<'a'\n${'xa\n'.repeat(300_000)}`],
  ['tabs without an end', `cat <<-'a'\n${'\ta'.repeat(400_000)}`],
])('ends in time: %s', (_, line) => {
  const started = performance.now();
  readLine(line, START);
  expect(performance.now() - started).toBeLessThan(4_000);
});
