/** config and remote: writes to the single configuration file that all worktrees of a repository share. */
import { type Act, type Touch, TOUCHES_NOTHING } from '../act.ts';
import { readOptions } from '../options.ts';
import { known } from '../words.ts';

/** The repository's single configuration file. */
export const CONFIG: Touch = { resources: ['config'] };

const OPTIONS =
  'f= file= blob= type= default= value= comment= url= global system local worktree add all append replace-all unset unset-all rename-section remove-section edit get get-all get-regexp get-urlmatch get-color get-colorbool list name-only show-origin show-scope null bool int path includes no-includes fixed-value regexp';
const WRITES = ['add', 'replace-all', 'unset', 'unset-all', 'rename-section', 'remove-section', 'e', 'edit'];
const READS = ['get', 'get-all', 'get-regexp', 'get-urlmatch', 'get-color', 'get-colorbool', 'l', 'list'];
/** The configuration of a user, the machine, another file, or a single worktree. */
const ELSEWHERE = ['global', 'system', 'f', 'file', 'blob', 'worktree'];
/** Since git 2.46, config has verbs; before, the number of words determined whether it writes. */
const VERBS: Readonly<Record<string, boolean>> = {
  ...{ get: false, list: false },
  ...{ set: true, unset: true, 'rename-section': true, 'remove-section': true, edit: true },
};

export function configure({ args }: Act): Touch {
  const options = readOptions(args, OPTIONS);
  if (options.has(...ELSEWHERE)) return TOUCHES_NOTHING;
  if (options.has(...WRITES)) return CONFIG;
  const [verb, ...more] = options.operands;
  if (options.has(...READS) || typeof verb !== 'string') return TOUCHES_NOTHING;
  const writes = Object.hasOwn(VERBS, verb) ? VERBS[verb] : more.length > 0;
  return writes === true ? CONFIG : TOUCHES_NOTHING;
}

const REMOTE = 'add remove rm rename set-url set-branches'.split(' ');

export function remote({ args }: Act): Touch {
  const [verb = ''] = known(args).filter((word) => !word.startsWith('-'));
  return REMOTE.includes(verb) ? CONFIG : TOUCHES_NOTHING;
}
