import { readdirSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { recorded, recordHooks } from '../client/record.ts';
import { bash, say, use } from '../client/scenario.ts';
import { situation } from '../client/stage.ts';

situation('explore', async ({ stage }) => {
  const scratch = stage.scratch({ 'a.txt': 'x\n' });
  const out = join(scratch.root, 'shells');
  mkdirSync(out);
  recordHooks(scratch, [], { permissions: { allow: ['Bash', 'Read', 'Edit', 'Agent', 'Task'] } });
  scratch.write('.mcp.json', JSON.stringify({ mcpServers: { rec: { command: 'sh', args: ['-c', `env > ${out}/mcp-$$; exec sleep 2`] } } }));
  mkdirSync(join(scratch.home, '.claude'), { recursive: true });
  writeFileSync(join(scratch.home, '.claude/settings.json'), JSON.stringify({ enabledMcpjsonServers: ['rec'] }));
  const dump = (name: string) => bash(`env > ${out}/${name}; cat /proc/$PPID/cmdline | tr '\\0' ' ' | head -c 300; echo; cat /proc/$$/cmdline | tr '\\0' ' ' | head -c 600`);
  const scenario = {
    one: [dump('startup'), { tools: [{ name: 'Bash', input: { command: `env > ${out}/background`, run_in_background: true, description: 'x' } }] }, say('ok')],
    agent: [use('Agent', { description: 'A', prompt: '[[sub]] go', subagent_type: 'general-purpose', run_in_background: false }), say('ok')],
    sub: [dump('subagent'), say('ok')],
    two: [dump('resume'), say('ok')],
    cont: [dump('continue'), say('ok')],
    fork: [dump('fork'), say('ok')],
    s1: [dump('sdk'), say('ok')],
    s2: [dump('sdk2'), say('ok')],
    s3: [dump('compacted'), say('ok')],
    s4: [dump('cleared'), say('ok')],
    nest: [bash(`claude -p '[[inner]] go' --output-format json < /dev/null > ${out}/nested.log 2>&1; echo rc $?`), say('ok')],
    inner: [dump('nested'), say('ok')],
  };
  const phases: Record<string, number> = {};
  const mark = (n: string) => { phases[n] = recorded(scratch).length; };
  const a = await stage.play(scratch, scenario, { prompt: '[[one]] go' });
  mark('startup');
  const ag = await stage.play(scratch, scenario, { prompt: '[[agent]] go' });
  mark('agent');
  await stage.play(scratch, scenario, { prompt: '[[two]] go', resume: a.run.session });
  mark('resume');
  await stage.play(scratch, scenario, { prompt: '[[cont]] go', args: ['--continue'] });
  mark('continue');
  await stage.play(scratch, scenario, { prompt: '[[fork]] go', resume: a.run.session, args: ['--fork-session'] });
  mark('fork');
  const st = await stage.play(scratch, scenario, { prompt: ['[[s1]] a', '[[s2]] b', '/compact', '[[s3]] c', '/clear', '[[s4]] d'] });
  mark('stream');
  const ne = await stage.play(scratch, scenario, { prompt: '[[nest]] go' });
  mark('nested');
  const names = (env: Record<string, string>) => Object.fromEntries(Object.entries(env).filter(([k]) => /CLAUDE|AI_AGENT/.test(k)));
  const shells = Object.fromEntries(readdirSync(out).map((f) => [f, readFileSync(join(out, f), 'utf8').split('\n').filter((l) => /CLAUDE|AI_AGENT/.test(l) || f.endsWith('.log'))]));
  writeFileSync(`/tmp/explore-${process.env['GUARD_E2E_CLIENT_VERSION'] ?? '2.1.330'}.json`, JSON.stringify({ phases, a: a.run.session, ag: ag.run.session, st: st.run.session, ne: ne.run.session, hooks: recorded(scratch).map(({ event, env }) => ({ event: event.hook_event_name, tool: event.tool_name, source: event['source'], reason: event['reason'], agent: event.agent_id, session: event.session_id, cmd: event.tool_input?.['command'], env: names(env) })), shells, results: ['one', 'sub'].flatMap((m) => [a.api, ag.api].flatMap((p) => p.results(m))) }, null, 1));
});
