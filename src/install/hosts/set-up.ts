/** Other clients that guard is set up for here. */
import { join } from 'node:path';
import type { HostName } from '../../claude/adapters/index.ts';
import { ifAllowed } from '../../core/attempt.ts';
import type { Repo } from '../../repo/locate.ts';
import type { Environment } from '../../repo/user-dirs.ts';
import { findFile, type FileFound } from '../file-change.ts';
import { guardLines } from '../hook-lines.ts';
import { mergeSettings } from '../merge.ts';
import { readSettingsText, SettingsFault } from '../settings-text.ts';
import type { HostScope } from './host.ts';
import { HOST_ROWS, hostLine } from './place.ts';
import { WHOLE_FILE } from './whole.ts';

export interface SetUpHost {
  readonly name: HostName;
  readonly label: string;
  readonly scope: HostScope;
  readonly path: string;
  /** Whether it is as this guard would write it. */
  readonly is_current: boolean;
}

interface Place {
  readonly repo: Pick<Repo, 'root'>;
  readonly env: Environment;
  readonly guard_root: string;
}

export const hostsSetUp = (place: Place): readonly SetUpHost[] =>
  (Object.keys(HOST_ROWS) as HostName[]).flatMap((name) =>
    (['project', 'user'] as const).flatMap((scope) => seen(name, scope, place) ?? []),
  );

function seen(name: HostName, scope: HostScope, { repo, env, guard_root }: Place): SetUpHost | null {
  const { label, file, userFile, content } = HOST_ROWS[name];
  const path = scope === 'project' ? join(repo.root, file) : userFile?.(env);
  const found = path === undefined ? null : ifAllowed<FileFound | null>(() => findFile(path), null);
  if (found?.bytes == null) return null;
  const wanted = content(hostLine({ guard_root }, { name, scope }));
  const host = { name, label, scope, path: found.path };
  if ('whole' in wanted)
    return WHOLE_FILE.isOurs(found.bytes)
      ? { ...host, is_current: found.bytes.toString() === wanted.whole }
      : null;
  const read = readSettingsText(found.bytes);
  if (read instanceof SettingsFault || guardLines(read.value).length === 0) return null;
  const { text } = read;
  return { ...host, is_current: mergeSettings(text, { hooks: wanted.hooks, rules: [] }, null) === text };
}
