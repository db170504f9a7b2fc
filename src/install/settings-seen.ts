/** The settings files that a session in a repository reads, as they are, including broken ones. */
import { unlessRefused } from '../core/attempt.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { parse } from '../settings/parse.ts';
import { findFile } from './file-change.ts';
import { managedPath, type Scope, settingsPath } from './scopes.ts';
import { type Ignored, whyIgnored } from './why-ignored.ts';

export interface SettingsSeen {
  readonly scope: Scope | 'managed';
  readonly path: string;
  readonly exists: boolean;
  /** Empty for a missing or a broken file, as the client sees it. */
  readonly value: JsonObject;
  /** Why the client ignores it. */
  readonly fault: Ignored | null;
}

/** Weakest first. */
export function seenSettings(root: string, env: Environment): readonly SettingsSeen[] {
  const own = (['user', 'project', 'local'] as const).map((scope) =>
    seen(scope, settingsPath(scope, root, env)),
  );
  const managed = managedPath();
  return managed === undefined ? own : [...own, seen('managed', managed)];
}

function seen(scope: SettingsSeen['scope'], path: string): SettingsSeen {
  const base = { scope, path, exists: true, value: {}, fault: null };
  const look = (): SettingsSeen => {
    const { bytes } = findFile(path);
    if (bytes === null) return { ...base, exists: false };
    // The client may read what guard cannot edit, such as a duplicate key.
    const value = parse(bytes.toString());
    return value === null ? { ...base, fault: whyIgnored(bytes) } : { ...base, value };
  };
  return unlessRefused(look, ({ facts, message }) => {
    return { ...base, fault: { reason: String(facts['reason'] ?? message), place: null } };
  });
}
