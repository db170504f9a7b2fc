/** The agents of `agents-night.test.ts`, and how they work. */
import { type Gate, makeGate } from './client/gate.ts';
import { type Answer, bash, both, edit, read, say, type Seen, use } from './client/scenario.ts';

export const TREE_USD = 0.02;
export const PRESSED_USD = 0.002;
/** The cost of each answer of the scripted API. */
export const CALL_USD = 0.00024;

export const tool = (name: string, input: object): Answer => use(`mcp__guard__${name}`, input);
export const report = (summary: string, ...questions: readonly string[]): Answer =>
  say(`Done.\n\`\`\`json\n${JSON.stringify({ summary, changes: [], issues: [], questions })}\n\`\`\``);
export const fails = (status: number, type: string): Answer => ({ fails: { status, type, message: 'No.' } });

export const ROLES = {
  night: {
    category: 'worker',
    prompt: 'You work at night.',
    tools: ['Read', 'Edit', 'Bash(sh daemon.sh)'],
    limits: { retries: 0 },
  },
  own: {
    category: 'worker',
    prompt: 'You work apart.',
    tools: ['Read', 'Edit', 'Write', 'Bash(pwd)'],
    worktree: {},
  },
  boss: {
    category: 'conversational',
    prompt: 'You lead.',
    limits: { tree_cost_usd: TREE_USD, cost_usd: TREE_USD / 2 },
  },
  // The lead of a tree that reaches its budget: its agents may spend all of it.
  payer: {
    category: 'conversational',
    prompt: 'You pay.',
    limits: { tree_cost_usd: PRESSED_USD, cost_usd: PRESSED_USD * 0.4 },
  },
  spender: {
    category: 'worker',
    prompt: 'You spend.',
    tools: ['Read'],
    limits: { cost_usd: PRESSED_USD * 0.3, retries: 0 },
  },
};

/** An agent in the middle of its work, until it is told to continue. */
export interface Held {
  readonly began: Gate;
  readonly on: Gate;
}
export const held = (): Held => ({ began: makeGate(), on: makeGate() });
export const hold =
  ({ began, on }: Held, answer: Answer) =>
  async (): Promise<Answer> => {
    began.open();
    await on.opened;
    return answer;
  };

/** Adds a line to a file that many agents change, each under its lock. */
export const counts =
  (count: () => string) =>
  ({ step, marker }: Seen): Answer =>
    [
      tool('lock_wait', { filepaths: [count()], timeout_seconds: 60 }),
      read(count()),
      edit(count(), 'end', `${marker}\nend`),
      tool('lock_release', { filepaths: [count()] }),
    ][step] ?? report(`${marker} counted`);

/** In its own worktree, wherever that is. */
export const inOwn =
  (work: (dir: string) => readonly Answer[]) =>
  ({ step, marker, results, request }: Seen): Answer => {
    if (step === 0) return bash('pwd');
    const said = JSON.stringify(step === 1 ? results : request.messages);
    const [, dir = ''] = /(\/[^\s"\\]*\.claude\/worktrees\/guard-[\w-]+)/.exec(said) ?? [];
    return work(dir)[step - 1] ?? report(`${marker} worked`);
  };

export const leads =
  (child: { id: string }) =>
  ({ step, results }: Seen): Answer => {
    const said = JSON.parse(step === 0 ? '{}' : (results[0]?.text ?? '{}')) as {
      agentId?: string;
      status?: string;
    };
    if (step === 0) return tool('draft_agent', { role: 'night', name: 'below', prompt: '[[below]] Count.' });
    child.id = said.agentId ?? child.id;
    return said.status === 'completed' ? report('led') : tool('await_agent', { agentId: child.id });
  };

export const SPENDS = ['spends-one', 'spends-two'];
/** Two agents, side by side if there are places, that spend all they may; then the lead summarizes with what is left. */
export const presses = ({ step, results }: Seen): Answer => {
  const draft = (name: string): Answer =>
    tool('draft_agent', { role: 'spender', name, prompt: `[[${name}]] Spend.` });
  if (step === 0) return both(...SPENDS.map(draft));
  const agentId = results.map(({ text }) => (JSON.parse(text) as { agentId: string }).agentId);
  return step === 1 ? tool('await_agent', { agentId }) : report('summed up');
};
