/**
 * Plays one history twice: through the hooks as it happens, and as a transcript that is simulated afterwards. Both must
 * refuse the same writes for the same reasons.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asList } from '../../src/core/json-object.ts';
import { hookHere } from '../claude/driver/in-process.ts';
import type { Fields } from '../claude/driver/session.ts';
import { disk, fieldsOf, type Scratch, scratch, Session, type ToolCall } from '../claude/driver.ts';
import { simulated, Told, type ToldDay, toldDay } from './told.ts';

const FILES = ['a.txt', 'b.txt'];

/** One action by one of two agents. */
const step = fc.record({
  agent: fc.nat(1),
  file: fc.nat(FILES.length - 1),
  does: fc.constantFrom('read', 'part', 'write', 'write', 'edit', 'edit', 'prompt', 'stop'),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface Refusal {
  readonly agent: string;
  readonly file: string;
  readonly why: readonly string[];
}

/** An agent whose events go to the hooks and into its transcript. */
interface Both {
  readonly agent: Session;
  readonly told: Told;
}

class Play {
  readonly at: Scratch;
  readonly day: ToldDay;
  readonly refused: Refusal[] = [];
  readonly pair: readonly Both[];
  written = 0;

  constructor(init: readonly string[]) {
    this.at = scratch({ init, files: Object.fromEntries(FILES.map((file) => [file, 'one\ntwo\nthree\n'])) });
    this.day = toldDay();
    this.day.now_ms = Date.now();
    this.pair = ['1', '2'].map((id) => {
      const agent = new Session(this.at, { id: id.repeat(8), pid: null });
      return { agent, told: new Told(this.day, agent.id, { cwd: this.at.root }) };
    });
    for (const both of this.pair) this.prompt(both);
  }

  fire({ agent }: Both, event: string, fields: Fields) {
    // Keep the order of events, whatever the clock says.
    this.day.now_ms = Math.max(Date.now(), this.day.now_ms + 1);
    return hookHere(this.at, JSON.stringify(agent.payload(event, fields)), agent.env);
  }

  prompt(both: Both): void {
    this.fire(both, 'UserPromptSubmit', { prompt: 'go' });
    both.told.line('user', { role: 'user', content: 'go' });
  }

  stop(both: Both): void {
    this.fire(both, 'Stop', { background_tasks: [] });
    const content = [{ type: 'text', text: 'Done.' }];
    both.told.line('assistant', { role: 'assistant', content, stop_reason: 'end_turn' });
  }

  read(both: Both, file: string, is_part: boolean): void {
    const file_path = this.at.path(file);
    const input = { file_path, ...(is_part ? { offset: 1, limit: 1 } : {}) };
    const call = both.agent.call('Read', input);
    this.begin(both, call);
    const response = is_part ? disk.read(file_path, 1, 1) : disk.read(file_path);
    this.end(both, call, response);
  }

  write(both: Both, file: string, does: 'write' | 'edit'): void {
    const file_path = this.at.path(file);
    const before = this.at.read(file);
    const [old_string = ''] = before.split('\n');
    const line = `line ${++this.written} of ${both.agent.id}`;
    const content = `${before}${line}\n`;
    const call =
      does === 'write'
        ? both.agent.call('Write', { file_path, content })
        : both.agent.call('Edit', { file_path, old_string, new_string: line });
    this.begin(both, call);
    const { exit, denial } = this.fire(both, 'PreToolUse', fieldsOf(call));
    if (exit === 2) {
      const why = [denial?.error_type ?? '?', ...asList(denial?.details['also']).map(String)];
      this.refused.push({ agent: both.agent.name, file, why });
      this.tell(both, call, `Error: ${JSON.stringify(denial)}`, true);
      return;
    }
    const response =
      does === 'write' ? disk.write(file_path, content) : disk.edit(file_path, old_string, line);
    this.end(both, call, response);
  }

  begin({ told }: Both, { tool: name, input, id }: ToolCall): void {
    this.day.now_ms = Math.max(Date.now(), this.day.now_ms + 1);
    const content = [{ type: 'tool_use', id, name, input }];
    told.line('assistant', { id: `msg_${id}`, role: 'assistant', content, stop_reason: 'tool_use' });
  }

  end(both: Both, call: ToolCall, tool_response: unknown): void {
    this.fire(both, 'PostToolUse', { ...fieldsOf(call), tool_response, duration_ms: 1 });
    this.tell(both, call, tool_response, false);
  }

  tell({ told }: Both, { id }: ToolCall, toolUseResult: unknown, is_error: boolean): void {
    this.day.now_ms = Math.max(Date.now(), this.day.now_ms + 1);
    told.end(id, toolUseResult, is_error ? { is_error, content: String(toolUseResult) } : {});
  }

  take({ agent, file, does }: Step): void {
    const both = this.pair[agent];
    const name = FILES[file];
    if (both === undefined || name === undefined) throw new Error('no such agent or file');
    if (does === 'prompt') this.prompt(both);
    else if (does === 'stop') this.stop(both);
    else if (does === 'write' || does === 'edit') this.write(both, name, does);
    else this.read(both, name, does === 'part');
  }
}

function bothWays(steps: readonly Step[], preset: 'auto'): readonly [readonly Refusal[], readonly Refusal[]] {
  const play = new Play(['--preset', preset]);
  for (const one of steps) play.take(one);
  const { world } = simulated(play.day.dir, { preset, checkouts: [{ name: '', root: play.at.root }] });
  const found = world.denials.kept.map(({ agent, path, denial }) => ({
    agent,
    file: path,
    why: [denial.error_type, ...asList(denial.details['also']).map(String)],
  }));
  return [play.refused, found];
}

describe('a simulation and the hooks', () => {
  it('refuse the same writes for the same reasons, whatever two agents do', () => {
    let refused = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 8, maxLength: 16 }), (steps) => {
        const [hooks, simulation] = bothWays(steps, 'auto');
        refused += hooks.length;
        expect(simulation).toEqual(hooks);
      }),
      { numRuns: 8, seed: 20_261_126, endOnFailure: true },
    );
    expect(refused).toBeGreaterThan(5);
  });
});
