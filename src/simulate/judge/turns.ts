/** Prompts, ends of turns, and signs of life, as hooks report them to the ledger. */
import { isFresh } from '../../core/rules/agent.ts';
import type { Scene } from '../world/world.ts';
import { factsAt } from '../world/world.ts';

/** Any event of an agent. The first one starts its session, or its subagent. */
export function simulatePresence(scene: Scene, at_work: boolean): void {
  const { world, actor } = scene;
  const { who } = actor;
  const facts = factsAt(scene);
  const state = world.actors.state(actor);
  if (state === undefined && who.kind === 'subagent') {
    world.hooks.note('SubagentStart');
    world.ledger.run({ type: 'turn.start', who }, facts);
    return;
  }
  if (state === undefined) {
    // Counts its end, too: no transcript shows how often its client was restarted.
    for (const event of ['SessionStart', 'SessionEnd']) world.hooks.note(event);
  }
  // Most events follow another one a moment later, and change nothing.
  if (isFresh(state, who, facts) && state?.turn_over === undefined) return;
  world.ledger.run({ type: 'agent.present', who, at_work }, facts);
}

export function simulatePrompt(scene: Scene): void {
  const { world, actor } = scene;
  // A prompt from its parent starts no turn of a subagent, which has only one.
  if (actor.who.kind === 'subagent') return;
  world.counts.prompts++;
  world.hooks.note('UserPromptSubmit');
  world.ledger.run({ type: 'turn.start', who: actor.who, may_continue: true }, factsAt(scene));
}

/** How long guard keeps locks after a Stop (claude/events/turn-end.ts). */
const GRACE_MS = 3_000;

export function simulateRest(scene: Scene): void {
  const { world, actor } = scene;
  const { who } = actor;
  const facts = factsAt(scene);
  if (who.kind === 'subagent') {
    world.hooks.note('SubagentStop');
    world.ledger.run({ type: 'agent.leave', who, reason: 'subagent_stop' }, facts);
    return;
  }
  world.hooks.note('Stop');
  world.ledger.run({ type: 'turn.end', who, running: [], grace_ms: GRACE_MS }, facts);
}
