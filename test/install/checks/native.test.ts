import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flock } from '../../../src/install/checks/flock.ts';
import { nativeFiles } from '../../../src/install/checks/native.ts';
import type { Patient } from '../../../src/install/check.ts';
import { NATIVE_FILES } from '../../../src/repo/native-files.ts';
import { nativeDir, nativeName } from '../../../src/repo/native.ts';
import { launcherName } from '../../../src/install/warm-line.ts';
import { PACKAGE, scratchDir } from '../scratch.ts';

const NAMES = Object.keys(NATIVE_FILES);
const LOADED = NAMES.filter((name) => name.endsWith('.node'));

function copied(name: string): string {
  const dir = join(scratchDir(), name);
  mkdirSync(dir);
  for (const file of NAMES) copyFileSync(join(PACKAGE, 'native', file), join(dir, file));
  return dir;
}

describe('the native files', () => {
  it('are those whose digests are written down, and there is no other', () => {
    expect(nativeDir()).toBe(join(PACKAGE, 'native'));
    expect(nativeFiles(nativeDir(), NATIVE_FILES)).toMatchObject({ status: 'ok' });
    expect(
      readdirSync(nativeDir())
        .filter((name) => !/\.(?:[ch]|sh)$/.test(name))
        .sort(),
    ).toEqual([...NAMES].sort());
  });

  it('are looked for in this package alone, from a source, a bundle and a chunk of one', () => {
    for (const running of [
      'src/repo/native.ts',
      'dist/hook-main.cjs',
      'dist/cli/chunks/a.mjs',
      'dist/on-use/a.cjs',
    ])
      expect(nativeDir(`/x/dist/src/node_modules/guard/${running}`)).toBe(
        '/x/dist/src/node_modules/guard/native',
      );
  });

  it('link no library, and take from Node what is needed and nothing else', () => {
    for (const name of NAMES) {
      const text = readFileSync(join(PACKAGE, 'native', name), 'latin1');
      expect(text).not.toMatch(/\.so\b|GLIBC|GCC:|mem(?:cpy|set)/);
      if (!LOADED.includes(name)) continue;
      expect(text.match(/napi_[a-z0-9_]+/g)?.sort()).toEqual([
        'napi_create_function',
        'napi_create_int32',
        'napi_create_string_latin1',
        'napi_create_uint32',
        'napi_get_cb_info',
        'napi_get_typedarray_info',
        'napi_get_value_int32',
        'napi_get_value_int64',
        'napi_register_module_v1',
        'napi_set_named_property',
      ]);
    }
  });

  it('fail doctor when one is changed, and when one is missing', () => {
    const changed = copied('changed');
    const [first = '', second = ''] = NAMES;
    writeFileSync(join(changed, first), 'something else');
    expect(nativeFiles(changed, NATIVE_FILES)).toMatchObject({ status: 'fail', facts: { changed: [first] } });
    const missing = copied('missing');
    rmSync(join(missing, second));
    expect(nativeFiles(missing, NATIVE_FILES)).toMatchObject({
      status: 'fail',
      facts: { missing: [second] },
    });
  });

  it('are one for each machine that Claude Code runs on, whatever its C library', () => {
    const both = ['arm64', 'x64'];
    const names = [nativeName, launcherName].flatMap((name) => both.map((arch) => name('linux', arch)));
    expect([...NAMES].sort()).toEqual(names);
    const made_of = createHash('sha256');
    for (const file of SOURCES) made_of.update(readFileSync(join(PACKAGE, 'native', file)));
    expect(made_of.digest('hex')).toBe(SOURCE);
  });
});

const SOURCES = [
  'node-api.h',
  'sums.h',
  'guard.c',
  'sha256.c',
  'crc32.c',
  'page.c',
  'warm.c',
  'system.h',
  'build.sh',
];

/** A change of the sources needs new binaries: run native/build.sh and update their digests (native-files.ts). */
const SOURCE = '4f29e6ea71bd38c971eefce915c02b85dc292dfd8d89971ca38ecfcf2df7ff7b';

describe.runIf(process.platform === 'linux')('doctor', () => {
  it('says when a program is started for every lock', () => {
    const results = flock.run({ env: { GUARD_FLOCK: 'flock' } } as unknown as Patient, []);
    expect(results).toMatchObject([{ status: 'warn', facts: { provider: 'flock' } }]);
    expect(flock.run({ env: {} } as unknown as Patient, [])).toMatchObject([
      { status: 'ok', facts: { provider: 'native' } },
    ]);
  });
});
