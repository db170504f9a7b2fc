// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Makes an event storable by replacing the questions that its rule asks the shell with their answers. */
import type { EventOf, EventType } from '../../core/decide.ts';
import type { WriteTarget } from '../../core/rules/write-event.ts';
import type { WriteEndEvent } from '../../core/rules/write-end.ts';

type Approved = Parameters<WriteEndEvent['written'][number]['original']>[0];

/** Returns the event to run the rule on, and a function that gives its storable form once the rule has asked its questions. */
export function answering<T extends EventType>(event: EventOf<T>): readonly [() => object, EventOf<T>] {
  if (isBegin(event))
    return [() => ({ ...event, reads: undefined, targets: event.targets.map(bare) }), event];
  if (!isWrite(event)) return [() => event, event];
  const answers = new Map<string, object>();
  const asked = event.written.map((one) => ({
    ...one,
    original: (approved: Approved) => {
      const verdict = one.original(approved);
      answers.set(one.path, { digest: approved.digest, verdict });
      return verdict;
    },
  }));
  const kept = () => event.written.map((one) => ({ ...one, original: answers.get(one.path) ?? null }));
  return [() => ({ ...event, written: kept() }), { ...event, written: asked }];
}

const isBegin = (event: { readonly type: EventType }): event is EventOf<'write.begin'> =>
  event.type === 'write.begin';

/** Without the file's content. */
const bare = ({ disk: { state, digest, ctime_ms }, ...target }: WriteTarget) => ({
  ...target,
  disk: { state, digest, ctime_ms },
});

const isWrite = (event: { readonly type: EventType }): event is EventOf<'write.end'> =>
  event.type === 'write.end';
