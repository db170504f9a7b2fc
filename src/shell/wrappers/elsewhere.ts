/** Commands that run where the files are different ones, and `env`, which may have a whole line in one word. */
import { options } from '../writers/options.ts';
import { runs, unresolved } from '../writers/reading.ts';
import { prefixOf } from './prefix.ts';
import type { Wrapper } from './wrapper.ts';

export const runsElsewhere: Wrapper = () => ({});

/** A container sees the directories that are mounted into it. */
export const mounted: Wrapper = (call) => {
  const [first] = call.args;
  if (first?.text !== 'run' && first?.text !== 'compose') return {};
  const has_mount = call.args.some(
    ({ text }) => text !== null && /^(?:-v.*|--volume.*|--mount.*)$/.test(text),
  );
  return has_mount ? unresolved(call, 'code') : {};
};

const ENV = 'u,unset: C,chdir: S,split-string: i,ignore-environment 0,null v,debug';
const run = prefixOf({ grammar: ENV, assigns: true, dir: 'C' });

/** `env -S 'A=b command' word`. */
export const env: Wrapper = (call) => {
  const given = options(call.args, ENV, 'first');
  const text = given.value('S')?.text;
  if (typeof text !== 'string') return run(call);
  const rest = given.operands.map((word) => word.text ?? '""').join(' ');
  return runs({ kind: 'line', text: `${text} ${rest}` });
};
