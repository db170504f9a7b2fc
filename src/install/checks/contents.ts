import { loadConfig } from '../../config/load.ts';
import { sizeOfContents } from '../../contents/sweep.ts';
import { undoLimits } from '../../core/undo-limits.ts';
import { checking, ok, warn } from '../check.ts';

const MIB = 1_048_576;
/** It is swept only now and then, so it may exceed its limit for a while. */
const EXCESS = 2;

/** Reports how much of files' contents is kept for undo and blame. */
export const contents = checking('contents', ({ repo, env }) => {
  if (!repo.initialised) return [];
  const { enabled, max_bytes, max_age_ms } = undoLimits(loadConfig({ repo, env }).undo);
  const { entries, bytes } = sizeOfContents(repo.state_dir);
  const facts = { enabled, entries, bytes, max_bytes, max_age_ms };
  const size = `${entries} file contents are kept for undo and blame, ${(bytes / MIB).toFixed(1)} MiB`;
  if (!enabled) return ok('No file contents are kept ("undo" is off)', { facts });
  if (bytes <= EXCESS * max_bytes) return ok(`${size} of at most ${max_bytes / MIB}`, { facts });
  const hint = 'Run: guard compact --contents';
  return warn(`${size}: more than the limit of ${max_bytes / MIB}`, { facts, hint });
});
