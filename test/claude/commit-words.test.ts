/** An agent whose held file was changed has one commit delayed; commands that only mention commits pass. */
import { expect, test } from 'vitest';
import { oneAgent } from './driver.ts';

test.each([
  ["git log --format='commit %h' -1", null],
  ['cat .git/hooks/pre-commit.sample', null],
  ['grep -rn "git push" src', null],
  ['cd . && git -c core.pager=cat commit -qm x', 'STALE_FILE'],
])('%s', (command, error_type) => {
  const { at, agent } = oneAgent({ files: { 'a.txt': '1\n' } });
  agent.lock('a.txt');
  agent.read('a.txt');
  expect(agent.edit('a.txt', '1\n', '2\n').post?.exit).toBe(0);
  at.put('a.txt', 'a person\n');
  const { denial } = agent.pre(agent.call('Bash', { command }));
  expect(denial?.error_type ?? null).toBe(error_type);
});
