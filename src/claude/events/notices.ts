/** SessionStart: informs a person, once, of changes noticed since the last session began. */
import { asNoticed, NOTICED } from '../../core/noticed.ts';
import { textOf } from '../../repo/small-file.ts';
import type { HookOutput } from '../output.ts';
import type { Hook } from '../context.ts';
import { hasHook } from '../../settings/foreign-hooks.ts';
import { tellPerson } from './tell-person.ts';
import { noticeChanges } from './watched.ts';

const SETTINGS_BYTES = 4 << 20;

/** The answer with a message for the person added; unchanged if there is nothing to report. */
export function withNotices(hook: Hook, output: HookOutput): HookOutput {
  const { home, who } = hook;
  if (!home.repo.initialised) return output;
  noticeChanges(hook);
  const items = asNoticed(home.store.look([NOTICED]).get(NOTICED));
  const fresh = items.filter(({ told }) => !told);
  if (fresh.length === 0 && !home.named?.hasTold?.('noticed.told')) return output;
  const keep = items.filter(
    (one) => one.what === 'hook' && hasHook(textOf(one.file, SETTINGS_BYTES) ?? '', one),
  );
  const news = fresh.filter((one) => one.what === 'changed' || keep.includes(one));
  const shown = home.run({ type: 'noticed.told', who, keep, shown: news });
  if (shown.length === 0) return output;
  const lines = shown.map(({ what, file, event, detail, agent }) =>
    what === 'hook'
      ? `- ${agent} added a hook for ${event} to ${file}: ${detail}`
      : `- ${file}, noticed after a command of ${agent}: ${detail}`,
  );
  return tellPerson(output, ['guard: please look at what changed:', ...lines].join('\n'));
}
