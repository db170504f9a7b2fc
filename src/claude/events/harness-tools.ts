/** The tools that draft, await and kill agents: guard's own server learns who calls, and agents without the right are refused. */
import { asDraftState, draftKey, sessionAgent } from '../../core/drafts.ts';
import { HARNESS_SERVERS } from '../../core/harness-tools.ts';
import { OWN_SERVERS } from '../../core/lock-tools.ts';
import { gatedTool, mayOnlyLook, notPermitted } from '../../core/policy/role.ts';
import { ownServers } from '../../install/mcp-server.ts';
import { deny, type HookOutput } from '../output.ts';
import type { Hook } from '../context.ts';
import { noteAlive } from './alive.ts';
import { openCall } from './open-call.ts';
import { signedInput, unclaimed } from './signed-input.ts';

/** Null if it is none of these tools. A drafted agent's access applies to every server, including one that offers too much. */
export function preHarness(hook: Hook): HookOutput | null {
  const { input, home, who, env } = hook;
  const tool = gatedTool(input.tool);
  if (tool === null) return null;
  const key = draftKey(sessionAgent(who.id));
  const draft = asDraftState(home.store.look([key]).get(key));
  if (draft !== undefined && mayOnlyLook(draft)) return deny(notPermitted(tool, draft));
  const server = /^mcp__(.+)__/.exec(input.tool)?.[1] ?? '';
  if (!ownServers(home.repo.root, env, [...OWN_SERVERS, ...HARNESS_SERVERS]).includes(server))
    return unclaimed(input);
  if (!openCall(hook)) noteAlive(hook);
  return signedInput(hook);
}
