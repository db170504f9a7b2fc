// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * The run of an event that a server may have run before: it may have ended between its commits and its answer, or be slower than
 * its launcher waits. What it was about to tell is in a file (told-file.ts), so that the agent learns it from this run.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { NEXT } from '../store/placeholder.ts';
import type { FirstAnswer } from '../store/transact-options.ts';
import type { Named } from '../workspace/named.ts';
import type { HookOutput } from './output.ts';
import { withContext, withDetail } from './output-added.ts';
import { idsOf } from './request.ts';
import { toldFile, type KeptLine } from './told-file.ts';

export interface Repeated extends Named {
  /** This run's answer, with what only the first run told. */
  completed(output: HookOutput): HookOutput;
}

export function namedBy(request: string): Repeated {
  const idFor = idsOf(request);
  let [file, event] = ['', ''];
  let answered: HookOutput | undefined;
  /**
   * Read again each time, because a server that is late may still be running. It writes a line before it commits, so a run
   * that has seen the commit finds the line.
   */
  const kept = (): readonly KeptLine[] =>
    existsSync(file) ? attempt(() => linesIn(readFileSync(file, 'utf8')), []) : [];
  const named = (type: string) => {
    const id = idFor(type);
    return { id, first: firstAnswer(kept, id) };
  };
  return Object.assign(named, {
    place(state_dir: string, of: string) {
      file = toldFile(state_dir, request);
      event = of;
      answered = answerIn(kept());
    },
    hasTold: (type?: string) =>
      kept().some(
        (line) => 'id' in line && (type === undefined || line.id.startsWith(`${request}.${type}.`)),
      ),
    completed(output: HookOutput) {
      const lines = kept();
      if (lines.length === 0) return output;
      rmSync(file, { force: true });
      return answered ?? completed(event, output, lines);
    },
  });
}

const linesIn = (text: string): readonly KeptLine[] =>
  text.split('\n').flatMap((line) => attempt(() => [JSON.parse(line) as KeptLine], []));

function firstAnswer(kept: () => readonly KeptLine[], id: string): FirstAnswer {
  // A step that ran again because something had moved has several lines.
  const found = () =>
    kept()
      .flatMap((line) => ('id' in line ? [line] : []))
      .findLast((line) => line.id === id);
  return {
    get sign() {
      const first = found();
      return first === undefined ? [] : [{ type: 'renew', agent: first.agent, ts_ms: NEXT, s: {} }];
    },
    keep: () => undefined,
    answer(now) {
      const first = found();
      return first === undefined ? now : first.result;
    },
  };
}

/** Undefined if the server had not finished when this run began: what it answers later is about a later moment. */
const answerIn = (lines: readonly KeptLine[]): HookOutput | undefined =>
  lines.flatMap((line) => ('answer' in line ? [line.answer] : [])).at(-1);

function completed(event: string, output: HookOutput, lines: readonly KeptLine[]): HookOutput {
  const notes = lines.flatMap((line) => ('note' in line ? [line.note] : []));
  const missing = [...new Set(notes)].filter((note) => !output.stdout.includes(inJson(note)));
  if (missing.length === 0) return output;
  if (output.exit !== 0) return attempt(() => withDetail(output, { notes: missing }), output);
  return missing.reduce((so_far, note) => withContext(event, so_far, note), output);
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
