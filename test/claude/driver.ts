/** Drives the real product: a scratch repository, real hook processes, and a client that acts on their answers. */
export { expectEnvelope, wrongs } from './driver/answer.ts';
export type { Answer, Denial } from './driver/answer.ts';
export * as disk from './driver/disk.ts';
export { GUARD, HOOK, PACKAGE, runLater, runNow } from './driver/process.ts';
export type { Env, Finished } from './driver/process.ts';
export { kill } from './driver/kill.ts';
export { initialise, scratch, setUpBy } from './driver/scratch.ts';
export type { Scratch, Setup } from './driver/scratch.ts';
export { silentFor } from './driver/silence.ts';
export { fieldsOf, Session } from './driver/session.ts';
export type { ToolCall, Written } from './driver/session.ts';
import { scratch, type Scratch, type Setup } from './driver/scratch.ts';
import { type Identity, Session } from './driver/session.ts';

/** A guarded repository, and one agent in it with its first prompt. */
export function oneAgent(setup: Setup = {}, identity: Identity = {}): { at: Scratch; agent: Session } {
  const at = scratch(setup);
  return { at, agent: working(at, identity) };
}

/** An agent that joined with its first prompt. */
export function working(at: Scratch, identity: Identity = {}): Session {
  const agent = new Session(at, identity);
  agent.prompt();
  return agent;
}

/** The SHA-256 used for the specification's hashes. */
export { digestBytes as sha256 } from '../../src/repo/digest.ts';
