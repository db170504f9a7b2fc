import { lateNames, unreadNames } from '../../store/late/late-file.ts';
import { checking, warn } from '../check.ts';

/** Events that could not be written to the ledger in time, and those among them that cannot be read. */
export const late = checking('late', ({ repo: { state_dir } }) => {
  const [waiting, unread] = [lateNames(state_dir), unreadNames(state_dir)];
  const left = `${waiting.length} events are not yet written into the ledger, which was busy or full when they came`;
  const odd = `${unread.length} such files cannot be read: what they tell is on no record`;
  return [
    ...(waiting.length === 0
      ? []
      : [
          warn(left, {
            facts: { waiting: waiting.length },
            hint: 'The next hook or lock of anybody writes them.',
          }),
        ]),
    ...(unread.length === 0
      ? []
      : [
          warn(odd, {
            facts: { unread },
            hint: `Remove them when you have seen them: ${state_dir}/late-unread`,
          }),
        ]),
  ];
});
