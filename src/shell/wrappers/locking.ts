/** `sudo` and `flock`, which also touch files themselves. */
import { options } from '../writers/options.ts';
import { files, file, runs, together } from '../writers/reading.ts';
import { prefixOf } from './prefix.ts';
import type { Wrapper } from './wrapper.ts';

const SUDO =
  'u,user: g,group: h,host: p,prompt: C,close-from: r,role: t,type: T,command-timeout: U,other-user: D,chdir: R,chroot: ' +
  'A b E H K k l n P S s i v e,edit';
const run = prefixOf({ grammar: SUDO, assigns: true, dir: 'D' });

export const sudo: Wrapper = (call) => {
  const given = options(call.args, SUDO, 'first');
  if (given.has('R')) return {};
  return given.has('e') ? files(call, given.operands, 'edit') : run(call);
};

/** `flock FILE command`, `flock FILE -c TEXT`; a number is a descriptor. */
export const flockWrapper: Wrapper = (call) => {
  const given = options(
    call.args,
    's x,e u n,nb,nonblock w,timeout: o F E,conflict-exit-code: c,command: v',
    'first',
  );
  const [lock, ...words] = given.operands;
  if (lock === undefined || /^\d+$/.test(lock.text ?? '')) return {};
  const text = words[0]?.text === '-c' ? words[1]?.text : given.value('c')?.text;
  const is_line = words[0]?.text === '-c' || given.has('c');
  return together([
    file(call, lock, 'create'),
    is_line && typeof text === 'string' ? runs({ kind: 'line', text }) : {},
    !is_line && words.length > 0 ? runs({ kind: 'call', words }) : {},
  ]);
};
