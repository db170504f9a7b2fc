import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NATIVE_FILES } from '../../repo/native-files.ts';
import { nativeDir } from '../../repo/native.ts';
import { checking, fail, type Finding, ok } from '../check.ts';

/** Every hook loads this machine code, so it must be byte for byte what this guard was built with. */
export const native = checking('native', () => nativeFiles(nativeDir(), NATIVE_FILES));

export function nativeFiles(dir: string, wanted: Readonly<Record<string, string>>): Finding {
  const names = Object.keys(wanted);
  const missing = names.filter((name) => !existsSync(join(dir, name)));
  const changed = names.filter(
    (name) => !missing.includes(name) && digestOf(join(dir, name)) !== wanted[name],
  );
  const facts = { dir, missing, changed };
  if (changed.length > 0) {
    const message = `Native code differs from what this guard was built with: ${changed.join(', ')} in ${dir}`;
    return fail(message, {
      facts,
      hint: 'Find out who changed it, and reinstall guard. Every hook runs this code.',
    });
  }
  if (missing.length > 0) {
    const message = `Native code is missing: ${missing.join(', ')} in ${dir}`;
    return fail(message, { facts, hint: 'Reinstall guard.' });
  }
  return ok('The native code is what this guard was built with', { facts });
}

const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
