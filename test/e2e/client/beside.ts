import type { Api } from './api.ts';
import { makeGate } from './gate.ts';
import { type Agent, obedient } from './obedient.ts';
import type { ClientOptions, ClientRun } from './run.ts';
import { bash, type Scenario } from './scenario.ts';
import type { Scratch } from './scratch.ts';
import type { Stage } from './stage.ts';
import { replace } from './steps.ts';

export interface Beside {
  readonly holder: Agent;
  readonly runs: { readonly holder: ClientRun; readonly other: ClientRun };
  readonly api: Api;
  /** Everything the holder was told, and saw, after the other session had ended. */
  readonly heard: string;
}

/** The holder's next step after the other session has ended. */
const LOOK = 'echo still here';

interface Plot {
  /** The scripts of the other session; its main thread is `other`. */
  readonly other: Scenario;
  readonly files: readonly string[];
  readonly mode?: ClientOptions['mode'];
  /** What the holder runs at the end instead of looking. */
  readonly then?: readonly string[];
}

/**
 * One session locks the files, changes their first line from `one` to `ONE` without committing, and holds them until
 * the other session, which starts then, has ended.
 */
export async function beside(stage: Stage, scratch: Scratch, plot: Plot): Promise<Beside> {
  const { files, mode = 'default', then = [LOOK] } = plot;
  const [holds, over] = [makeGate(), makeGate()];
  const heard: string[] = [];
  const holder = obedient(async function* (hands) {
    yield* hands.lock(...files);
    yield* hands.read(...files);
    yield* hands.write(...files.map((file) => replace(file, 'one', 'ONE')));
    holds.open();
    await over.opened;
    for (const line of then) {
      const { results, texts } = yield* hands.call(bash(line));
      heard.push(...results.map(({ text }) => text), ...texts);
    }
  });
  const api = await stage.api({ holder: holder.turn, ...plot.other });
  const first = stage.start(api, scratch, { prompt: '[[holder]] Change them.', mode: 'default' });
  await holds.opened;
  const second = stage.start(api, scratch, { prompt: '[[other]] Do your work.', mode });
  const other = await second.done;
  over.open();
  return { holder, runs: { holder: await first.done, other }, api, heard: heard.join('\n') };
}
