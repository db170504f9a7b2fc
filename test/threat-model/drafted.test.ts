/** Attempts of a drafted agent to become more than it was drafted to be, through Bash. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GUARD } from '../claude/driver.ts';
import { harness, type Harness } from '../harness/harness.ts';

const guard = `"${process.execPath}" "${GUARD}"`;
const bare = 'env -i PATH="$PATH" HOME="$HOME" FAKE_RECORD="$FAKE_RECORD"';

/** Runs the commands one after another below one agent; returns the output of each. */
function saidBelow(at: Harness, role: string, commands: readonly string[]): readonly string[] {
  const steps = commands.map((command, n) => `sh (${command}) > "$HOME/said-${n}" 2>&1 || true`);
  at.await(at.draft(role, [...steps, 'result Done.']));
  return commands.map((_, n) => fs.readFileSync(join(at.at.home, `said-${n}`), 'utf8'));
}

const rpc = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
const CALL = [
  rpc({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  }),
  rpc({ method: 'notifications/initialized' }),
  rpc({
    id: 2,
    method: 'tools/call',
    params: { name: 'draft_agent', arguments: { role: 'lead', prompt: 'x' } },
  }),
  rpc({
    id: 3,
    method: 'tools/call',
    params: { name: 'draft_agent', arguments: { role: 'lead', prompt: 'x', _agent: 'me' } },
  }),
].join('\n');

describe('a drafted agent pretends to be somebody else', () => {
  it('without its environment, under another name, by a server of its own: it may not draft, await or kill', () => {
    const at = harness();
    at.at.put('calls.jsonl', `${CALL}\n`);
    const draft = 'agent draft --role lead --json x';
    const said = saidBelow(at, 'dev', [
      `${bare} ${guard} ${draft}`,
      `${bare} ${guard} ${draft} --agent me`,
      `CLAUDE_CODE_SESSION_ID=other ${guard} ${draft}`,
      `${bare} ${guard} agent kill claude-other --json`,
      `(cat calls.jsonl; sleep 1.5) | ${bare} ${guard} mcp --tools harness`,
    ]);
    for (const [n, text] of said.slice(0, -1).entries()) {
      expect(text, `way ${n}`).toContain('GUARD_ERR_AGENT');
      expect(text, `way ${n}`).toContain('Agents of your role may not');
    }
    // The server offers only the tools that this agent may call.
    expect(said.at(-1)?.match(/There is no tool \w+ here/g)).toHaveLength(2);
    expect(at.list('--all')).toHaveLength(1);
  });

  it('with a configuration of its own, or out of the tree and without a mark: no deeper than it was drafted', () => {
    const at = harness();
    at.at.put(`${at.at.home}/.config/guard/config.json`, '{"agents":{"depth":1}}');
    at.at.put(`${at.at.home}/own/guard/config.json`, '{"allow_weaker":true,"agents":{"depth":9}}');
    const draft = `agent draft --role dev --json "result x"`;
    const away = `setsid sh -c '${bare} ${guard} ${draft} > "$HOME/away" 2>&1; touch "$HOME/tried"' > /dev/null 2>&1 &`;
    const [deeper = ''] = saidBelow(at, 'lead', [
      `XDG_CONFIG_HOME="$HOME/own" ${guard} ${draft}`,
      `${bare} sh -c '${away.replaceAll("'", `'\\''`)}'; for n in $(seq 150); do [ -e "$HOME/tried" ] && break; sleep 0.1; done`,
    ]);
    expect(deeper).toContain('at most 1 deep');
    // On Linux, its supervisor adopts the orphan; elsewhere nothing leads back to the agent.
    const told = fs.readFileSync(join(at.at.home, 'away'), 'utf8');
    expect(told).toContain(process.platform === 'linux' ? 'at most 1 deep' : 'agentId');
    expect(at.list('--all')).toHaveLength(process.platform === 'linux' ? 1 : 2);
  });
});

describe('it starts claude itself', () => {
  it('that client runs, its turns are not counted, its drafts are of the agent, and it ends with it', () => {
    const at = harness();
    const inner = [
      'say One.',
      'say Two.',
      `sh ${guard} agent draft --role dev --wait --json "result x"`,
      'hang',
    ];
    at.at.put('inner', inner.join('\n'));
    const id = at.draft('lead', [
      'sh setsid claude -p --session-id inner < inner > "$HOME/inner-said" 2>&1 &',
      `sh for n in $(seq 150); do grep -q completed "$HOME/inner-said" && break; sleep 0.1; done`,
      'result Done.',
    ]);
    expect(at.await(id)).toMatchObject({ status: 'completed', turns: 3 });
    expect(fs.readFileSync(join(at.at.home, 'inner-said'), 'utf8')).toContain('Two.');
    expect(at.list('--all')).toMatchObject([
      { id, depth: 1 },
      { role: 'dev', depth: 2, drafted_by: id },
    ]);
    expect(at.processes(id)).toEqual([]);
  });
});
