/** What guard needs to know about another client: how to map its events to guard's own (Claude Code's) and how to answer them. */
import type { Fields } from '../fields.ts';
import type { Variables } from '../hosts/host.ts';
import type { HookInput } from '../hook-input.ts';
import type { HookOutput } from '../output.ts';

/** One call of a hook, as the client made it. */
export interface HostEvent {
  /** Standard input. */
  readonly raw: Fields;
  /** The event name given on the command line, for clients whose events do not carry one. */
  readonly name: string;
  readonly env: Variables;
  /** The working directory of the hook's own process. */
  readonly cwd: string;
}

export interface Adapter {
  /** The event in Claude's terms; null if guard does nothing about it. */
  readonly terms: (event: HostEvent) => Fields | null;
  /** The files that a call writes, if it names them differently from Claude's tools; undefined otherwise. */
  readonly paths?: (told: Fields) => readonly string[] | undefined;
  /** The directory in which the session was started. */
  readonly project: (event: HostEvent) => string;
  /** The client's process. Absent: the nearest ancestor of the hook that is not a shell. */
  readonly pid?: (event: HostEvent) => number;
  readonly answer: (output: HookOutput, told: HookInput) => HookOutput;
  /** The client's name for PreToolUse, if it differs. */
  readonly before?: string;
  /** At exit code 2 it parses JSON on standard error as an answer, and takes one without a decision as consent. */
  readonly parses_stderr?: true;
  /** Some writes have no after-event, so the next event checks them (unreported.ts). */
  readonly unreported?: true;
}
