// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * The run of an event that a server may have run before: it may have ended between its commits and its answer. What it was
 * about to tell is in a file (told-file.ts), so that the agent learns it from this run.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { NEXT } from '../store/placeholder.ts';
import type { FirstAnswer } from '../store/transact-options.ts';
import type { Named } from '../workspace/named.ts';
import type { HookOutput } from './output.ts';
import { withContext } from './output-added.ts';
import { idsOf } from './request.ts';
import { toldFile, type KeptLine } from './told-file.ts';

export interface Repeated extends Named {
  /** This run's answer, with what only the first run told. */
  completed(output: HookOutput): HookOutput;
}

export function namedBy(request: string): Repeated {
  const idFor = idsOf(request);
  let lines: readonly KeptLine[] = [];
  let [file, event] = ['', ''];
  const named = (type: string) => {
    const id = idFor(type);
    return { id, first: firstAnswer(lines, id) };
  };
  return Object.assign(named, {
    isAgain(state_dir: string, of: string) {
      file = toldFile(state_dir, request);
      event = of;
      lines = existsSync(file) ? attempt(() => linesIn(readFileSync(file, 'utf8')), []) : [];
      return lines.length > 0;
    },
    hasTold: (type: string) =>
      lines.some((line) => 'id' in line && line.id.startsWith(`${request}.${type}.`)),
    completed(output: HookOutput) {
      if (lines.length === 0) return output;
      rmSync(file, { force: true });
      return completed(event, output, lines);
    },
  });
}

const linesIn = (text: string): readonly KeptLine[] =>
  text.split('\n').flatMap((line) => attempt(() => [JSON.parse(line) as KeptLine], []));

function firstAnswer(lines: readonly KeptLine[], id: string): FirstAnswer | undefined {
  // A step that ran again because something had moved has several lines.
  const kept = lines.findLast((line) => 'id' in line && line.id === id);
  if (kept === undefined || !('id' in kept)) return undefined;
  return {
    sign: [{ type: 'renew', agent: kept.agent, ts_ms: NEXT, s: {} }],
    keep: () => undefined,
    answer: () => kept.result,
  };
}

function completed(event: string, output: HookOutput, lines: readonly KeptLine[]): HookOutput {
  const whole = lines.findLast((line) => 'answer' in line);
  if (whole !== undefined && 'answer' in whole) return whole.answer;
  if (output.exit !== 0) return output;
  const notes = lines.flatMap((line) => ('note' in line ? [line.note] : []));
  const missing = [...new Set(notes)].filter((note) => !output.stdout.includes(inJson(note)));
  return missing.reduce((so_far, note) => withContext(event, so_far, note), output);
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
