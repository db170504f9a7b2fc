/** Two agents, one of which holds `src/x`, and their messages about it. */
import type { Message } from '../../../src/core/mailbox.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import { agent, proc, World } from '../world.ts';

export const [a, b] = [1, 2].map((n) => agent('ab'.charAt(n - 1), { proc: proc(n) })) as [Who, Who];
export const THREAD = 'thread-1';
export const meant = (file: string) => ({
  file,
  scope: '',
  pattern: file,
  path: file.includes('*') ? null : file,
});

export const request = (world: World, file = 'src/x', urgency: 'normal' | 'urgent' = 'normal') =>
  world.run({
    type: 'negotiate.request',
    who: a,
    to: b.id,
    meant: meant(file),
    reason: 'why',
    urgency,
    thread_id: THREAD,
  });
export const respond = (world: World, action: 'release' | 'defer', eta_minutes = 0, thread_id = THREAD) =>
  world.run({
    type: 'negotiate.respond',
    who: b,
    requester: a.id,
    thread_id,
    action,
    meant: meant('src/x'),
    eta_minutes,
    reason: 'busy',
  });
export const expired = (world: World, who: Who) =>
  world.run({ type: 'message.fetch', who, after: 1e12 }).expired;
export const reserve = (world: World, pattern: string) =>
  world.run({
    type: 'reserve',
    who: b,
    scope: '',
    patterns: [pattern],
    mode: 'exclusive',
    reason: 'r',
    ttl_ms: 900_000,
    all: false,
    dry: false,
  });
export const last = (world: World, who: Who): Message | undefined =>
  world.run({ type: 'message.fetch', who, after: 0 }).messages.at(-1);

export const held = (): World => {
  const world = new World();
  world.lock(b, 'src/x');
  world.run({ type: 'agent.present', who: a });
  return world;
};
