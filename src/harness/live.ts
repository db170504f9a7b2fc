/** What an agent is doing now, from its state and the end of its log, and what it needs from others. */
import { statSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import type { Needs } from '../core/needs.ts';
import { type DraftState, isOver } from '../core/drafts.ts';
import { asList, asObject, asText, parsedObject } from '../core/json-object.ts';
import { agentFiles, textIn } from './agent-files.ts';
import { callWords } from './call-words.ts';

export interface Live {
  /** When its client last reported anything; `null` if never, or if that is no longer known. */
  readonly heard_wall_ms: number | null;
  readonly doing: string | null;
  readonly needs: Needs | null;
}

export function liveOf(state_dir: string, draft: DraftState): Live {
  const { log } = agentFiles(state_dir, draft.session);
  const heard = draft.heard_wall_ms ?? attempt(() => Math.round(statSync(log).mtimeMs), null);
  const { questions = [] } = draft.result ?? {};
  const asked = questions.length === 0 ? null : { questions, denials: [] };
  const needs = draft.needs === undefined ? asked : draft.needs;
  if (isOver(draft)) return { heard_wall_ms: draft.ended_wall_ms, doing: null, needs };
  return { heard_wall_ms: heard, doing: draft.doing ?? lastCall(textIn(log)), needs: draft.needs ?? null };
}

/** The newest call near the end of the log, in a few words. */
function lastCall(log: string): string | null {
  const lines = log.split('\n').reverse();
  for (const line of lines) {
    const event = parsedObject(line);
    if (event['type'] !== 'assistant') continue;
    const blocks = asList(asObject(event['message'])['content']).map(asObject);
    const call = blocks.findLast(({ type }) => type === 'tool_use');
    if (call !== undefined) return callWords(asText(call['name']), asObject(call['input']), '');
  }
  return null;
}
