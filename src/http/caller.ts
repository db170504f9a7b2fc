/**
 * For which agent a request acts. X-Agent-ID is a claim that anyone with the token, or with access to the socket, can make.
 * It cannot override what guard knows: an agent with its own session or process speaks through its hooks, its commands and
 * its tools, and people speak at their terminals.
 */
import { agentsHere } from '../operations/agents.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { agentKey } from '../core/keys.ts';
import type { Who } from '../core/rules/who.ts';
import { isShadow } from '../core/shadow.ts';
import { type NameEvidence, notForHttp, type NotForHttp } from '../core/speakers.ts';
import { asAgentState } from '../core/states.ts';
import { Refusal } from './refusal.ts';

/** @throws Refusal 403 if two of them differ, 400 if there is none */
export function claimedId(header: string | undefined, claims: readonly (string | undefined)[]): string {
  const named = [header, ...claims].filter((id) => id !== undefined && id !== '');
  const [first] = named;
  if (first === undefined)
    throw new Refusal(400, 'NO_AGENT', 'The request names no agent.', { hint: 'Send X-Agent-ID.' });
  if (named.some((id) => id !== first))
    throw new Refusal(403, 'OTHER_AGENT', 'One request acts for one agent, and this one names two.', {
      hint: 'X-Agent-ID and the agent in the body or the path must agree.',
    });
  return first;
}

/** @throws Refusal 403 for an agent that speaks for itself */
export function mayBeClaimed(space: Workspace, { id }: Who, sessionsToo: boolean): void {
  const why = notForHttp(id, knownAround(space, id), sessionsToo);
  if (why === null) return;
  if (why !== 'name')
    throw new Refusal(403, 'SPEAKS_FOR_ITSELF', `${id} ${WHY[why]}; no one can act for it over HTTP.`, {
      hint: 'It uses guard commands or the tools of guard mcp. A person may start guard serve with --sessions.',
    });
  throw new Refusal(403, 'OTHER_AGENT', `${id} ${WHY[why]}.`, { hint: 'Choose another id.' });
}

const WHY: Readonly<Record<NotForHttp, string>> = {
  shadow: 'is an agent of another lock server',
  person: 'is a person at a terminal',
  session: 'has the form of a Claude Code session',
  twin: 'is the id or name of another agent, in another case',
  name: 'is the name of another agent',
  own: 'has its own session or process',
};

function knownAround(space: Workspace, id: string): NameEvidence {
  const names = relatives(id);
  const view = space.store.look(names.map(agentKey));
  const states = names.flatMap((name) => asAgentState(view.get(agentKey(name))) ?? []);
  // Looking at all agents would cost too much for every request.
  const is_new = asAgentState(view.get(agentKey(id))) === undefined && !isShadow(id);
  return {
    is_shadow: isShadow(id),
    here: is_new ? agentsHere(space).map(({ agent_id, name }) => ({ id: agent_id, name })) : [],
    has_own: states.some(({ session, proc }) => session !== null || proc !== null),
  };
}

/** The agent itself; for a subagent also its session; for a second process of a session (`~2`) also the first. */
function relatives(id: string): string[] {
  const [session = id] = id.split('/');
  const [first = session] = session.split('~');
  return [...new Set([id, session, first])];
}
