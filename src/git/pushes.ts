// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Whether a git command sends commits to another repository. */
import { type Asking, foresee, type ForecastCall } from './forecast.ts';
import { HARMLESS, JUDGED } from './names.ts';
import { readOptions } from './options.ts';
import { gitWords, type Word } from './words.ts';

/** Commands of git that do it by another name, some with a verb. */
const SENDS: Readonly<Record<string, string | null>> = {
  'send-pack': null,
  'http-push': null,
  lfs: 'push',
  subtree: 'push',
  svn: 'dcommit',
};

/** What is known only when it runs counts if its text says so. An alias is looked up. */
export function pushes(call: ForecastCall, asking: Asking): boolean {
  const { command, args } = gitWords(call.args, call.cwd);
  if (command === null) return says(call.source);
  if (command === 'push') return !isDry(args);
  const verb = SENDS[command];
  if (verb !== undefined) return verb === null || args.includes(verb);
  if (command === 'submodule') return args[0] === 'foreach' && says(call.source);
  if (JUDGED.has(command) || HARMLESS.has(command)) return false;
  const [meant] = foresee([call], asking);
  return meant !== undefined && (meant.command === 'push' || says(meant.touch.unresolved ?? ''));
}

const says = (text: string): boolean => /\bpush\b/.test(text);

const isDry = (args: readonly Word[]): boolean =>
  readOptions(args, 'dry-run exec= o= push-option= receive-pack= repo=').has('dry-run', 'n');
