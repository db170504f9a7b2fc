/** Long lines and patterns with many files are checked like any other line. */
import { expect, it } from 'vitest';
import { oneAgent, working, wrongs } from '../driver.ts';
import { begin, post, wrongsOf } from './shell.ts';

function two() {
  const { at, agent } = oneAgent({
    files: { 'src/a.txt': 'one\n', 'src/b.txt': 'one\n', 'lib/c.txt': 'one\n' },
  });
  at.git('add', '-A');
  return { at, agent, other: working(at) };
}

it('a pattern of more files than are listed is compared with what others hold', () => {
  const { at, agent, other } = two();
  for (let nth = 0; nth < 2_100; nth++) at.put(`many/f${nth}.txt`, '');
  at.put('many/kept.md', '');
  other.lock('many/f7.txt');
  for (const line of ['rm many/*.txt', 'cd many && chmod -x f*', 'rm -rf many/*'])
    expect(wrongsOf(agent, line), line).toEqual(['LOCKED_BY_OTHER']);
  for (const line of ['rm many/*2.txt', 'cat many/*', 'cp many/* lib', 'wc -l many/*.txt'])
    expect(wrongsOf(agent, line), line).toEqual([]);
});

it('a line of 200 KB that writes a file out is judged, and its content is seen', () => {
  const { at, agent, other } = two();
  const text = 'const a = { b: [1] };\n'.repeat(10_000);
  const line = (file: string) => `cat > ${file} <<'EOF'\n${text}EOF`;
  other.lock('src/a.txt');
  expect(wrongsOf(agent, line('src/a.txt'))).toEqual(['LOCKED_BY_OTHER']);
  const { pre, call } = begin(agent, line('src/b.txt'));
  expect(pre.exit).toBe(0);
  at.put('src/b.txt', text);
  post(agent, call);
  agent.lock('src/b.txt');
  expect(wrongs(agent.edit('src/b.txt', 'const a', 'let a').pre)).toEqual([]);
});
