import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** For a path that need not exist: the real path of its existing part, plus the rest. */
export function nearestReal(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(nearestReal(above), path.slice(above.length));
  }
}
