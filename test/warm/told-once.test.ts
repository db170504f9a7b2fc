/**
 * What an agent is told only once reaches it exactly once, wherever the server that answers its event is killed: the command
 * that takes the server's place tells what the server had marked as told.
 */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/core/ledger.ts';
import { asAgentState } from '../../src/core/states.ts';
import { readNow } from '../../src/repo/clock.ts';
import { openEmbedded } from '../store/plain.ts';
import { COLD, LAUNCHERS, pidsIn, serve, stage, type Stage } from './stage.ts';
import { AT_FIRST, type Death } from './turns.ts';

const TURNED = `${import.meta.dirname}/turned.cjs`;
/** More changes to the disk than the server makes for one event. */
const TOUCHES_MAX = 40;
const ATTEMPTS_MAX = 40;

/** A repository whose server dies where it is told to. */
function dying() {
  const at = stage({ files: { 'a.txt': 'one\n' } });
  const plan = at.put('../turn.json', JSON.stringify(AT_FIRST));
  const preload = at.put('../turn.cjs', '');
  fs.writeFileSync(
    preload,
    `require(${JSON.stringify(TURNED)})(${JSON.stringify(plan)}, ${JSON.stringify(at.state)});`,
  );
  const late = at.put('../late', '');
  const counted = ['/bin/sh', '-c', `echo > '${late}'; exec "$@"`, 'sh', ...COLD];
  at.hook(event(at, 'UserPromptSubmit', { prompt: 'go' }));
  /** The launcher's answer. On a busy machine it may miss the server, and then everything is done again. */
  const answered = async (dies: Death, prepared: () => object) => {
    for (let n = 0; n < ATTEMPTS_MAX; n++) {
      const given = prepared();
      if (!isAlive(at)) {
        fs.writeFileSync(plan, JSON.stringify(AT_FIRST));
        await serve(at, ['--require', preload]);
      }
      fs.rmSync(late, { force: true });
      fs.writeFileSync(plan, JSON.stringify({ ...AT_FIRST, dies }));
      const answer = await at.launch(given, counted);
      const died = !isAlive(at);
      if (died || !fs.existsSync(late)) return { answer, died };
    }
    throw new Error(`no server took it up: ${JSON.stringify(dies)}`);
  };
  return { ...at, answered };
}

const isAlive = (at: Stage): boolean => pidsIn(at).some((pid) => fs.existsSync(`/proc/${pid}`));

const event = (at: Stage, hook_event_name: string, fields: object = {}) => ({
  ...{ session_id: 's', cwd: at.root, hook_event_name, tool_use_id: 't' },
  ...fields,
});
const read = (at: Stage) =>
  event(at, 'PostToolUse', { tool_name: 'Read', tool_input: { file_path: at.path('a.txt') } });
const bash = (at: Stage, command: string) =>
  event(at, 'PreToolUse', { tool_name: 'Bash', tool_input: { command } });

/** As a rule records it when a lease ended before a write under it was recorded. */
function takeAway(at: Stage, path: string): void {
  const store = openEmbedded(at.state, { now: readNow });
  const key = 'agent:claude-s';
  store.transactSync([key], (view) => {
    const lost = { path, to: 'claude-o', cause: 'away', wall_ms: Date.now() };
    const state = { ...asAgentState(view.get(key)), revoked: [lost] } as unknown as Json;
    return {
      records: [{ type: 'revoke', agent: 'claude-o', ts_ms: Date.now(), s: { [key]: state } }],
      result: null,
    };
  });
  store.closeSync();
}

describe.skipIf(LAUNCHERS.length === 0)('a server that is killed while it tells an agent something', () => {
  it('leaves it to the command, for a message and a lost lock, wherever it is killed', async () => {
    const at = dying();
    const points: Death[] = [{ at: 'answered' }, { at: 'half' }];
    for (let nth = 1; nth <= TOUCHES_MAX; nth++) points.push({ at: 'touch', nth });
    let deaths = 0;
    for (const point of points) {
      const [message, path] = [`note ${point.at} ${point.nth}.`, `lost-${point.at}-${point.nth}`];
      const { answer, died } = await at.answered(point, () => {
        const words = [
          'message',
          'send',
          message,
          '--to',
          'claude-s',
          '--importance',
          'urgent',
          '--agent',
          'ann',
        ];
        expect(at.guard(...words).exit).toBe(0);
        takeAway(at, path);
        return read(at);
      });
      const said = answer.stdout + at.hook(read(at)).stdout;
      expect([said.split(message).length, said.split(path).length], JSON.stringify(point)).toEqual([2, 2]);
      expect(answer.stdout).toContain(message);
      if (died) deaths += 1;
      else if (point.at === 'touch') break;
    }
    // At least before and after each of the two commits.
    expect(deaths).toBeGreaterThan(5);
    const left = fs.readdirSync(`${at.state}/warm`).filter((name) => name.endsWith('.told'));
    // A server that is killed after its answer leaves a file for the next one to remove.
    expect(left.length).toBeLessThan(2);
  });

  it('has objected to a push in vain, so the command objects', async () => {
    const at = dying();
    const { answer, died } = await at.answered({ at: 'answered' }, () => {
      takeAway(at, 'a.txt');
      return bash(at, 'git push');
    });
    expect([answer.exit, died]).toEqual([2, true]);
    expect(answer.stdout).toContain('a.txt');
  });
});
