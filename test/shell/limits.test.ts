/** A line that would take too long is read in part, in time, and reported as incomplete. */
import { describe, expect, it } from 'vitest';
import type { Effects } from '../../src/shell/effects.ts';
import { readLine } from '../../src/shell/read-line.ts';
import { startIn } from './disk.ts';

const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`/repo/many/f${nth}.ts`, '']));
const FILES = { '/repo/a.ts': '', ...many(3_000), '/repo/some/x.ts': '' };
const START = startIn(FILES);

/** A hook's deadline is 5 s; each of these takes less than 1 s on an idle machine. */
const MOST_MS = 4_500;

function read(line: string): Effects {
  const [started, before] = [performance.now(), process.cpuUsage()];
  const effects = readLine(line, START);
  const elapsed_ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  // The tests beside this one may take the processor.
  expect(Math.min(elapsed_ms, (user + system) / 1_000)).toBeLessThan(MOST_MS);
  return effects;
}

const LONG: readonly [string, string][] = [
  ['20,000 commands', 'rm a; '.repeat(20_000)],
  ['a megabyte of words', `rm ${'word '.repeat(200_000)}`],
  ['64 KB of commands', 'rm a; '.repeat(10_000)],
  ['64 KB of assignments', Array.from({ length: 7_000 }, (_, nth) => `v${nth}=a;`).join('')],
  ['64 KB of open braces', '{a,'.repeat(21_000)],
  ['open braces before a range', `rm ${'{a,'.repeat(900)}{1..2000}`],
  ['8 KB of open braces', `rm ${'{'.repeat(3_000)}`],
  ['braces in braces', `rm ${'{a,b}'.repeat(40)}`],
  ['many ranges', 'rm {1..2000} '.repeat(2_000)],
  ['64 KB of substitutions', '$('.repeat(30_000)],
  ['64 KB of here-documents', 'cat <<E\n'.repeat(8_000)],
  ['64 KB of quotes', '"'.repeat(65_001)],
  ['loops in loops', `${'for i in {1..999}; do '.repeat(6)} rm $i ${'; done'.repeat(6)}`],
  ['loops in loops without a command', `${'for i in {1..999}; do '.repeat(6)} ((i)) ${'; done'.repeat(6)}`],
  ['while loops in while loops', `${'while x; do i=$((i+1)); '.repeat(30)} rm a ${'; done'.repeat(30)}`],
  ['branches upon branches', 'if a; then x=$x.a; else x=$x.b; fi; '.repeat(300) + 'rm $x'],
  ['a variable that doubles', 'x=aaaaaaaa; for i in {1..200}; do x=$x$x; done; rm $x'],
  ['arguments that double', 'set -- a b; for i in {1..200}; do set -- "$@" "$@"; done; rm "$@"'],
  ['a list that doubles', 'a=(x y); for i in {1..200}; do a+=("${a[@]}"); done; rm "${a[@]}"'],
  ['a long value in many words', `x=${'a'.repeat(30_000)}; rm ${'$x'.repeat(10_000)}`],
  ['a function that calls itself twice', 'f() { f; f; }; f'],
  ['a fork bomb', ':(){ :|:& };:'],
  ['eval of itself', 'x=\'eval "$x"; eval "$x"\'; eval "$x"'],
  ['bash in bash', "bash -c '".repeat(2_000)],
  ['brackets in brackets', `${'( '.repeat(15_000)}rm a${' )'.repeat(15_000)}`],
  ['a script that runs itself', 'cat > s.sh <<E\nbash s.sh; bash s.sh\nE\nbash s.sh'],
  ['patterns of many stars', `rm many/${'*f'.repeat(400)}`],
  ['10,000 patterns', `rm ${'many/* '.repeat(9_000)}`],
  ['a suffix of many stars', `x=${'a'.repeat(1_000)}; rm ${`\${x%%${'*a'.repeat(200)}b} `.repeat(100)}`],
  ['find in a loop', 'for i in {1..2000}; do find . -name "*.ts" -exec rm {} +; done'],
  ['a run of empty lines', `rm $(cat <<E\n${'\n'.repeat(60_000)}x\nE\n)`],
  ['a run of slashes', `rm ${'/'.repeat(60_000)}x`],
  ['one long name in arithmetic', `for ((${'a'.repeat(60_000)};;)); do rm a; done`],
];

describe('in time', () => {
  it.each(LONG)('%s', (_, line) => {
    read(line);
  });
});

describe('what is left out is said', () => {
  it.each([
    ['a line that is too long', 'rm a; '.repeat(20_000)],
    ['too many turns', `${'for i in {1..999}; do '.repeat(3)} rm $i ${'; done'.repeat(3)}`],
    ['more files than are listed', 'rm many/*'],
    ['a function that calls itself', 'f() { f; }; f'],
  ])('%s', (_, line) => {
    expect(read(line).unresolved.map(({ reason }) => reason)).toContain('limit');
  });

  it('the targets above the most are a directory, not silence', () => {
    const { targets, scopes, unresolved } = read('touch deep/{a,b}/{1..400}');
    expect(targets).toHaveLength(512);
    expect(scopes.map(({ paths }) => paths)).toEqual([['/repo/deep/b']]);
    expect(unresolved.map(({ reason }) => reason)).toEqual(['limit']);
  });

  it('more files than are listed are the pattern that they match', () => {
    const scopes = (line: string) => read(line).scopes.map(({ paths, is_glob }) => ({ paths, is_glob }));
    expect(scopes('rm many/*.ts')).toEqual([{ paths: ['/repo/many/*.ts'], is_glob: true }]);
    expect(scopes('cd many && chmod +x f*')).toEqual([{ paths: ['/repo/many/f*'], is_glob: true }]);
    expect(scopes('rm -rf many/*')).toEqual([{ paths: ['/repo/many/*/**'], is_glob: true }]);
    const found = { paths: ['/repo/many/**/*.ts'], is_glob: true };
    expect(scopes("sed -i s/a/b/ $(find many -type f -name '*.ts')")).toEqual([found]);
    expect(scopes("find many -name '*.ts' -print0 | xargs -0 rm")).toEqual([found]);
    expect(scopes('for f in many/*.ts; do rm "$f"; done')).toEqual([
      { paths: ['/repo/many/*.ts'], is_glob: true },
    ]);
    expect(scopes("rm $(find many -name '*.ts' -newer a.ts)")).toEqual([]);
    expect(scopes('cp many/* some')).toEqual([]);
    expect(scopes('grep x many/*')).toEqual([]);
  });

  it('what was understood before an error of syntax stays', () => {
    const { targets, unresolved } = read('rm a.ts; if then');
    expect(targets.map(({ path }) => path)).toEqual(['/repo/a.ts']);
    expect(unresolved.map(({ reason }) => reason)).toEqual(['syntax']);
  });
});
