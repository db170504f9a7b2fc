import { lateNames, unreadNames } from '../../store/late/late-file.ts';
import { checking, warn } from '../check.ts';

/** Events that could not be written to the ledger in time, and those among them that cannot be read. */
export const late = checking('late', ({ repo: { state_dir } }) => {
  const [waiting, unread] = [lateNames(state_dir), unreadNames(state_dir)];
  const left = `${waiting.length} events are not yet written to the ledger, which was busy or full when they happened`;
  const odd = `${unread.length} such files cannot be read, so their events are not recorded`;
  return [
    ...(waiting.length === 0
      ? []
      : [
          warn(left, {
            facts: { waiting: waiting.length },
            hint: 'The next hook or lock of any agent writes them.',
          }),
        ]),
    ...(unread.length === 0
      ? []
      : [
          warn(odd, {
            facts: { unread },
            hint: `Look at them, then remove them: ${state_dir}/late-unread`,
          }),
        ]),
  ];
});
