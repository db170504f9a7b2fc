/** What guard has to know of another client: how its events become guard's own, which are Claude Code's, and how guard answers there. */
import type { Fields } from '../fields.ts';
import type { Variables } from '../hosts/host.ts';
import type { HookInput } from '../hook-input.ts';
import type { HookOutput } from '../output.ts';

/** One call of a hook, as the client made it. */
export interface HostEvent {
  /** Standard input. */
  readonly raw: Fields;
  /** What the command line calls the event, for clients whose events do not say it. */
  readonly name: string;
  readonly env: Variables;
  /** Of the hook's own process. */
  readonly cwd: string;
}

export interface Adapter {
  /** The event in Claude's terms; null: nothing that guard does anything about. */
  readonly terms: (event: HostEvent) => Fields | null;
  /** What a call writes, where it names its files in another way than Claude's tools do; undefined: it does not. */
  readonly paths?: (told: Fields) => readonly string[] | undefined;
  /** Where the session was started. */
  readonly project: (event: HostEvent) => string;
  /** The client's process; absent: whoever started the hook, shells left out. */
  readonly pid?: (event: HostEvent) => number;
  readonly answer: (output: HookOutput, told: HookInput) => HookOutput;
  /** How its before-event is called, where that is not PreToolUse. */
  readonly before?: string;
  /** It takes standard error at exit code 2 for an answer where it is JSON, and one without a decision for consent. */
  readonly parses_stderr?: true;
  /** Some writes have no after-event, so the next event looks at them (unreported.ts). */
  readonly unreported?: true;
}
