/** Whether a file's content may be kept at all. */
import { isSecretName } from '../core/secret-names.ts';
import type { UndoLimits } from '../core/undo-limits.ts';
import { isExcluded } from './excluded.ts';

export interface ContentName {
  readonly path: string;
  /** The name under which the file was opened: a link may have the revealing name. */
  readonly abs: string;
}

export const isKeepable = ({ path, abs }: ContentName, { enabled, exclude }: UndoLimits): boolean =>
  enabled &&
  (abs.endsWith(`/${path}`) || !isSecretName(path)) &&
  !isSecretName(abs) &&
  (exclude.length === 0 || !isExcluded(path, exclude));
