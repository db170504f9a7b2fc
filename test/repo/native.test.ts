/** Guard's native file, and what replaces it if it is missing or a different one. */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nativeCode, nativeName, openNative } from '../../src/repo/native.ts';
import { crc32ByTable, pageSumByTurns } from '../../src/store/plain-sums.ts';
import { fieldsOf, oneAgent, runNow, type Session } from '../claude/driver.ts';
import { PACKAGE, scratchDir } from '../install/scratch.ts';

const OTHER = join(PACKAGE, 'native', nativeName('linux', process.arch === 'x64' ? 'arm64' : 'x64'));
const builtIn = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe.runIf(process.platform === 'linux')('the native file of this machine', () => {
  it('gives the digests of node:crypto, of every length around a block and of any view', () => {
    const bytes = randomBytes(4_100);
    for (let length = 0; length < 300; length++)
      for (const start of [0, 1, 3])
        expect(nativeCode().sha256?.(bytes.subarray(start, start + length))).toBe(
          builtIn(bytes.subarray(start, start + length)),
        );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5_000 }), (any) => {
        expect(nativeCode().sha256?.(any)).toBe(builtIn(any));
      }),
    );
  });

  it('gives the sums of the plain forms', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.nat(20), (bytes, start) => {
        const end = Math.max(start, bytes.length);
        if (end > bytes.length) return;
        expect(nativeCode().crc32?.(bytes, start, end)).toBe(crc32ByTable(bytes, start, end));
      }),
    );
    const page = fc.int32Array({ minLength: 128, maxLength: 128 });
    fc.assert(
      fc.property(page, fc.nat(), (words, number) => {
        expect(nativeCode().pageSum?.(words, number)).toBe(pageSumByTurns(words, number));
      }),
    );
  });

  it('answers what it cannot read with nothing, and reads behind no end', () => {
    const wrong = nativeCode() as unknown as Record<string, (...given: unknown[]) => unknown>;
    const three = Buffer.alloc(3);
    expect([wrong['sha256']?.('abc'), wrong['sha256']?.(), wrong['sha256']?.(new Int32Array(3))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    for (const [start, end] of [
      [0, 4],
      [2, 1],
      [-1, 2],
    ])
      expect(wrong['crc32']?.(three, start, end)).toBe(undefined);
    expect(wrong['pageSum']?.(new Int32Array(127), 1)).toBe(undefined);
    expect(wrong['pageSum']?.(Buffer.alloc(512), 1)).toBe(undefined);
    expect(wrong['take']?.(1)).toBe(undefined);
    expect([wrong['end']?.(), wrong['end']?.('0'), wrong['end']?.(-1), wrong['end']?.(256)]).toEqual(
      Array(4).fill(undefined),
    );
  });

  it('ends a process with the given status at once: what was written is there, and no handler runs', () => {
    const file = join(PACKAGE, 'native', nativeName('linux', process.arch));
    const program = `
      const opened = { exports: {} };
      process.dlopen(opened, ${JSON.stringify(file)});
      process.on('exit', () => fs.writeSync(1, 'handled'));
      fs.writeSync(1, 'written');
      opened.exports.end(7);`;
    const { status, stdout } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 7, stdout: 'written' });
  });
});

describe('a native file that is not of this machine', () => {
  it.each([
    ['missing', () => undefined],
    ['cut off', (file: string) => writeFileSync(file, '\x7fELF')],
    ['of another architecture', (file: string) => copyFileSync(OTHER, file)],
    ['a directory', (file: string) => mkdirSync(file)],
  ])('has nothing to call: %s', (_what, put) => {
    const file = join(scratchDir('guard-native-'), 'x.node');
    put(file);
    expect(openNative(file)).toEqual({});
  });
});

/** The package with another native file or none; its hooks give the same answers in the same ledger. */
function packageWith(put: (file: string) => unknown): string {
  const dir = join(scratchDir('guard-native-'), 'node_modules/guard');
  for (const part of ['dist', 'native', 'package.json'])
    cpSync(join(PACKAGE, part), join(dir, part), { recursive: true });
  const file = join(dir, 'native', nativeName(process.platform, process.arch));
  rmSync(file, { force: true });
  put(file);
  return join(dir, 'dist/hook.cjs');
}

function fire(hook: string, agent: Session, event: string, fields: object) {
  const { root: cwd, env } = agent.scratch;
  const stdin = JSON.stringify(agent.payload(event, { ...fields }));
  const around = { ...env, CLAUDECODE: '1', CLAUDE_PROJECT_DIR: cwd, ...agent.env };
  const { exit, stdout, stderr } = runNow({ args: [hook], cwd, env: around, stdin, apart: true });
  return [exit, stdout, stderr];
}

describe.each([
  ['missing', () => undefined],
  ['of another digest', (file: string) => writeFileSync(file, 'something else')],
  ['of another architecture', (file: string) => copyFileSync(OTHER, file)],
])('hooks whose native file is %s', (_what, put) => {
  it('write and read the same ledger and the same digests as those that have it', () => {
    const hook = packageWith(put);
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n', 'big.txt': 'x'.repeat(200_000) } });
    for (const name of ['a.txt', 'big.txt']) {
      const file_path = at.path(name);
      // Read with the usual native file, checked with this one, written and looked at again.
      agent.read(name);
      agent.lock(name);
      const before = at.read(name);
      const input = { file_path, old_string: before, new_string: `${before}two` };
      const call = agent.call('Edit', input);
      expect(fire(hook, agent, 'PreToolUse', fieldsOf(call))).toEqual([0, '', '']);
      at.put(name, input.new_string);
      const tool_response = {
        filePath: file_path,
        oldString: before,
        newString: input.new_string,
        originalFile: before,
      };
      expect(fire(hook, agent, 'PostToolUse', { ...fieldsOf(call), tool_response })[0]).toBe(0);
      expect(agent.edit(name, 'two', 'three').pre.exit).toBe(0);
    }
    expect(at.log('write').map(({ content }) => content)).toEqual(Array(4).fill('as_expected'));
    expect(at.guard('verify').exit).toBe(0);
  });
});
