/** PreToolUse of Bash: every guard command learns which agent runs it, and the rest of the line stays unchanged. */
import { describe, expect, it } from 'vitest';
import { GUARD, oneAgent, Session, working } from './driver.ts';

const MARKED = /\n# guard:(\S+) [0-9a-f]{8}$/;
const rewritten = (agent: Session, command: string, more: object = {}): unknown => {
  const answer = agent.pre(agent.call('Bash', { command, ...more }));
  expect([answer.exit, answer.stderr]).toEqual([0, '']);
  return answer.updated?.['command'] ?? null;
};

/** Two subagents, the first of which holds k.txt; their parent holds p.txt. */
function family() {
  const { at, agent } = oneAgent();
  const [one, two] = [agent.subagent('s1'), agent.subagent('s2')];
  agent.lock('p.txt');
  for (const sub of [one, two]) sub.fire('SubagentStart');
  one.lock('k.txt');
  const holder = (file: string): unknown =>
    (at.guard('lock', 'status', file, '--json').json() as { results: { holder: unknown }[] }).results[0]
      ?.holder;
  return { at, agent, one, two, holder };
}

const G = `node ${GUARD}`;

describe('a subagent', () => {
  it('gets a lock under its own name with the command that its denial names', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    const child = agent.subagent('s1');
    const [step = ''] = child.write('a.txt', 'x').pre.denial?.details.next ?? [];
    expect(child.bash(`${step} && echo done`).stdout).toMatch(/locked .*\ndone\n$/);
    expect(child.edit('a.txt', 'one', 'two').post?.exit).toBe(0);
    expect(at.log('hold')[0]).toMatchObject({ agent: child.name });
  });

  it('keeps every word and every other field of the call', () => {
    const { agent } = oneAgent();
    const call = agent.call('Bash', { command: 'guard lock try a', description: 'x', timeout: 5 });
    const { updated } = agent.subagent('s1').pre(call);
    expect(updated).toMatchObject({ description: 'x', timeout: 5 });
    expect(String(updated?.['command'])).toMatch(/^guard lock try a\n# guard:s1 [0-9a-f]{8}$/);
  });

  it('cannot act for its parent or a sibling, however it calls guard', () => {
    const { at, agent, one, two } = family();
    const owners = (): unknown[] =>
      (
        at.guard('lock', 'status', 'k.txt', 'p.txt', '--json').json() as { results: { holder: unknown }[] }
      ).results.map(({ holder }) => holder);
    const release = `${G} lock release k.txt p.txt`;
    for (const line of [
      `${G} --no-color lock release k.txt p.txt`,
      `g="${G}"; $g lock release k.txt p.txt`,
      `'no''de' '${GUARD}' lock release k.txt p.txt`,
      `printf '%s\n' "${release}" > s.sh; sh s.sh`,
      `${release} & wait`,
      `echo k.txt p.txt | xargs ${G} lock release`,
      `${release}; if (`,
      `bash -c '${release}\n# guard:main 00000000'\n# guard:main 00000000`,
      `exec ${release}`,
      `(setsid ${release} > done 2>&1 &); while ! grep -q . done; do sleep 0.1; done`,
      `${release} --agent ${agent.name}`,
      `${release} --agent=${one.name} --agent ${one.name}`,
      `${release} $(echo --agent ${one.name})`,
      `GUARD_AGENT_ID=${one.name} ${release}`,
      `GUARD_AGENT_ID=${agent.name} ${release}`,
      `CODEX_THREAD_ID=t ${release}`,
      `CODEX_THREAD_ID=t ${release} --agent ${one.name}`,
      `OPENCODE=1 ${release} --agent ${agent.name}`,
      `GEMINI_CLI=1 GUARD_AGENT_ID=${one.name} ${release}`,
    ]) {
      two.bash(line);
      expect(owners(), line).toEqual([one.name, agent.name]);
    }
  });

  it('cannot act for a sibling by a mark of theirs that it saw', () => {
    const { one, two, holder } = family();
    const seen = MARKED.exec(String(rewritten(one, 'ls')))?.[0] ?? '';
    expect(seen).toContain('s1');
    const release = `${G} lock release k.txt`;
    for (const line of [
      `sh -c '${release}${seen}'`,
      `printf '%s\n' "sh -c '${release}${seen}'" > s.sh; sh s.sh`,
      `${release}${seen}`,
      `${release}; cat <<E > f.txt${seen}\n${seen}`,
      `${release} # \\${seen}\\`,
    ]) {
      two.bash(line);
      expect(holder('k.txt'), line).toBe(one.name);
    }
  });

  it('acts for itself by each of these spellings', () => {
    const { two, holder } = family();
    for (const line of [
      `${G} --no-color lock try FILE`,
      `g="${G}"; $g lock try FILE`,
      `sh -c "${G} lock try FILE" | cat`,
      `${G} lock try FILE & wait`,
      `cat <<E > out\n$(${G} lock try FILE)\nE`,
      `${G} lock try FILE \\`,
    ]) {
      expect(two.bash(line.replaceAll('FILE', 'mine.txt')).stderr, line).toBe('');
      expect(holder('mine.txt'), line).toBe(two.name);
      two.bash(`${G} lock release mine.txt`);
    }
  });

  it('is told why, and what to do, where its command line is out of sight', () => {
    const { two } = family();
    const told = two.bash(`exec ${G} lock try x --json`);
    expect(told.exit).toBe(64);
    expect(JSON.parse(told.stdout)).toMatchObject({ error: { code: 'GUARD_ERR_SPEAKER' } });
  });
});

describe('the main agent', () => {
  it('is left alone while it has no subagents: the session says who it is', () => {
    const { at, agent } = oneAgent();
    expect(agent.pre(agent.call('Bash', { command: 'guard lock try a.txt' })).stdout).toBe('');
    agent.lock('a.txt');
    expect(at.log('hold')[0]).toMatchObject({ agent: agent.name });
  });

  it('is marked from its first subagent on, also after that one is gone, and acts as before', () => {
    const { agent, one, holder } = family();
    one.fire('SubagentStop');
    expect(String(rewritten(agent, 'ls')).match(MARKED)?.[1]).toBe('main');
    expect(agent.bash(`${G} lock try later.txt`).exit).toBe(0);
    expect(holder('later.txt')).toBe(agent.name);
  });

  it('may say its own name, and nobody else’s', () => {
    const { agent, one, holder } = family();
    expect(agent.bash(`${G} lock try x.txt --agent ${agent.name}`).exit).toBe(0);
    expect(agent.bash(`${G} lock release k.txt --agent ${one.name}`).exit).toBe(64);
    expect(holder('k.txt')).toBe(one.name);
  });

  it('drafted by guard, whose environment names it, speaks with its subagents for each by itself', () => {
    const { agent, two, holder } = family();
    const env = { GUARD_AGENT_ID: agent.name };
    const drafted = new Session(agent.scratch, { id: agent.id, pid: agent.pid, env });
    expect(drafted.bash(`${G} lock try d.txt`).exit).toBe(0);
    expect(holder('d.txt')).toBe(agent.name);
    const sub = new Session(agent.scratch, { id: agent.id, pid: agent.pid, env, agent: two.agent ?? '' });
    expect(sub.bash(`${G} lock try e.txt`).exit).toBe(0);
    expect(holder('e.txt')).toBe(two.name);
  });
});

describe('an agent that its command would not know', () => {
  it('the second process of a session is known by its process, and its subagents by their mark', () => {
    const { at, agent } = oneAgent();
    const twin = working(at, { id: agent.id });
    twin.lock('a.txt');
    expect(at.log('hold').at(-1)).toMatchObject({ agent: `${agent.name}~2` });
    twin.subagent('s1').lock('b.txt');
    expect(at.log('hold').at(-1)).toMatchObject({ agent: `${agent.name}~2/s1` });
    expect(agent.guard('lock', 'release', 'b.txt', '--agent', `${agent.name}~2`).exit).toBe(64);
  });

  it('a session whose client does not put its id into the environment of commands is named whole', () => {
    const { at } = oneAgent();
    const old = new Session(at, { pid: null });
    const command = `${G} lock try a.txt`;
    const event = old.payload('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: 't' });
    const line = String(at.hook(event, {}).updated?.['command']);
    expect(line.match(MARKED)?.[1]).toBe(old.name);
    const env = { CLAUDECODE: '1' };
    expect(at.shell(`${line}\n:`, env).exit).toBe(0);
    expect(at.log('hold')[0]).toMatchObject({ agent: old.name });
    const other = at.shell(
      `${G} lock release a.txt --agent claude-other\n${line.split('\n').at(-1) ?? ''}\n:`,
      env,
    );
    expect(other.stderr).toContain('GUARD_ERR_USAGE');
    // Without a mark (2.0.77 ignores it), a name still works.
    expect(at.guardWith(env, 'lock', 'try', 'b.txt', '--agent', old.name).exit).toBe(0);
  });
});

describe('a command that is run while a write is still open', () => {
  it('ends it: calls that write come one after the other', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    agent.lock('a.txt');
    agent.pre(agent.call('Write', { file_path: at.path('a.txt'), content: 'x' }));
    agent.pre(agent.call('Bash', { command: 'ls' }));
    expect(at.guard('status', '--json').json()).toMatchObject({ agents: [{ writing: [] }] });
  });
});

it('a line of a megabyte costs what its length costs', () => {
  const { agent } = oneAgent();
  const sub = agent.subagent('s1');
  sub.pre(sub.call('Bash', { command: 'ls' }));
  const times = [20_000, 80_000].map((calls) => {
    const start = performance.now();
    expect(String(rewritten(sub, 'guard lock try a; '.repeat(calls)))).toMatch(MARKED);
    return performance.now() - start;
  });
  expect(Math.max(...times)).toBeLessThan(5_000);
});
