/** What an older client lacks, what that means, and which promise it weakens. docs/promises.md has the same table. */
import { type Client, isAtLeast } from './client.ts';

export interface Limit {
  /** What is missing, by the client's own name. */
  readonly lacks: string;
  /** The first measured version that has it. */
  readonly until: string;
  /** Empty if guard has another way, or only convenience suffers. */
  readonly promises: readonly string[];
  readonly text: string;
}

export const CLIENT_LIMITS: readonly Limit[] = [
  {
    lacks: 'agent_id',
    until: '2.1.100',
    promises: ['P1', 'P2', 'P3', 'P4'],
    text: 'subagents cannot be distinguished from their session, so these hold only between sessions',
  },
  {
    lacks: 'updatedInput',
    until: '2.1.100',
    promises: ['P9'],
    text: 'a hook cannot add to a command line, so a command speaks for its agent only if it has --agent, and is fenced only against other sessions',
  },
  {
    lacks: 'CLAUDE_CODE_SESSION_ID',
    until: '2.1.200',
    promises: [],
    text: 'commands do not know their session, so guard includes --agent in every command it suggests',
  },
  {
    lacks: 'CLAUDE_PID',
    until: '2.1.200',
    promises: ['P2', 'P7'],
    text: 'the death of a client is noticed only when its leases expire, and "guard status" cannot show clients that never joined',
  },
  {
    lacks: 'PostToolUseFailure, PostToolBatch',
    until: '2.1.200',
    promises: ['P8'],
    text: 'refused and failed calls end their write intents late, and guard does not see a Read that finds no file',
  },
  {
    lacks: 'ConfigChange',
    until: '2.1.200',
    promises: ['P8'],
    text: 'removing the hooks mid-session is not vetoed',
  },
  {
    lacks: 'SubagentStart',
    until: '2.1.200',
    promises: [],
    text: 'subagents learn how to lock only from their first refusal',
  },
  {
    lacks: 'onFailure',
    until: '2.1.300',
    promises: ['P6'],
    text: 'a hook that the client itself times out (60 s) lets the write through',
  },
  {
    lacks: 'UserPromptSubmit in mid-turn',
    until: '2.1.300',
    promises: [],
    text: 'what a person types mid-turn is not an event, so nothing is delivered with it',
  },
];

export const limitsOf = (client: Client): readonly Limit[] =>
  CLIENT_LIMITS.filter(({ until }) => !isAtLeast(client, until));

export const inWords = ({ lacks, promises, text }: Limit): string =>
  `no ${lacks}: ${text}${promises.length === 0 ? '' : ` (${promises.join(', ')})`}`;
