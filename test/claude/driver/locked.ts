/** An agent whose locks another one requests, and recorded events replayed as its own. */
import fs from 'node:fs';
import { join } from 'node:path';
import type { Answer } from './answer.ts';
import { PACKAGE } from './process.ts';
import { scratch } from './scratch.ts';
import { Session } from './session.ts';

export const gets = (other: Session, file: string): boolean => other.guard('lock', 'try', file).exit === 0;

/** Replays a recorded event as this agent's. */
export function replayed(agent: Session, name: string, changed: object = {}): Answer {
  const text = fs.readFileSync(join(PACKAGE, 'test/fixtures/payloads', `${name}.json`), 'utf8');
  const event = JSON.parse(text.replaceAll('/repo', agent.scratch.root)) as object;
  return agent.scratch.hook({ ...event, session_id: agent.id, ...changed }, agent.env);
}

/** An agent with its first prompt that holds a.txt and b.txt, and a second agent. */
export function lockedAgent() {
  const at = scratch({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n' } });
  const [agent, other] = [new Session(at), new Session(at)];
  agent.prompt();
  other.prompt();
  agent.lock('a.txt', 'b.txt');
  return { at, agent, other };
}
