import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { keptContent } from '../../src/contents/read-content.ts';
import { digestOf, place } from './scratch.ts';

const mode = (file: string): number => fs.statSync(file).mode & 0o777;
const root = process.getuid?.() === 0;

test('a content comes back as it was, for this user alone', () => {
  const at = place();
  const bytes = Buffer.from([0, 1, 255, 10]);
  expect(at.keep(bytes)).toBe('new');
  expect(keptContent(at.state_dir, digestOf(bytes))).toEqual(bytes);
  expect([mode(at.dir), mode(join(at.dir, digestOf(bytes)))]).toEqual([0o700, 0o600]);
});

test('a second time it is only looked at, and its time renewed when that is old', () => {
  const at = place();
  at.keep('x');
  const file = join(at.dir, digestOf('x'));
  const { ino } = fs.statSync(file);
  fs.utimesSync(file, 1, 1);
  expect(at.keep('x')).toBe('known');
  expect(fs.statSync(file).ino).toBe(ino);
  expect(Date.now() - fs.statSync(file).mtimeMs).toBeLessThan(60_000);
});

test('an empty file needs no entry', () => {
  expect(keptContent(place().state_dir, digestOf(''))).toEqual(Buffer.alloc(0));
});

describe('never kept', () => {
  test.each([
    '.env',
    '.env.local',
    'app/.ENV.production',
    '.envrc',
    'id_rsa',
    '.ssh/id_ed25519',
    'certs/server.pem',
    'x.KEY',
    'a.p12',
    'b.pfx',
    'c.kdbx',
    'credentials',
    'credentials.json',
    '.aws/config',
    'app_credentials.yml',
    '.netrc',
    '.npmrc',
    '.pypirc',
    'secrets.yml',
    'config/secrets/prod.yml',
    '.git-credentials',
    'kubeconfig',
    'kubeconfig-prod',
    '.kube/config',
    '.docker/config.json',
    'service-account.json',
    'prod.tfvars',
    'terraform.tfstate.backup',
    'auth.json',
    '//wt/.env',
  ])('%s', (path) => {
    const at = place();
    expect(at.keep('KEY=1', { path })).toBe('not_kept');
    expect(at.names()).toEqual([]);
  });

  test('a file whose link has such a name', () => {
    expect(place().keep('KEY=1', { path: 'config/prod', abs: '/r/.env' })).toBe('not_kept');
  });

  test('a private key under any name', () => {
    expect(place().keep('-----BEGIN RSA PRIVATE KEY-----\nMII')).toBe('not_kept');
  });

  test('more than 4 MiB; what matches a glob of the configuration; anything, when switched off', () => {
    const at = place();
    expect(at.keep(Buffer.alloc((4 << 20) + 1, 'x'))).toBe('not_kept');
    const exclude = ['*.sqlite', 'private/**', '/top.txt'];
    for (const path of ['a/b.sqlite', 'private/x/y', '//wt/private/x', 'top.txt'])
      expect(at.keep('x', { path, limits: { exclude } })).toBe('not_kept');
    expect(at.keep('x', { limits: { enabled: false } })).toBe('not_kept');
    expect(at.names()).toEqual([]);
    expect(at.keep('x', { path: 'not/top.txt', limits: { exclude } })).toBe('new');
  });

  test.each([
    'environment.ts',
    'keys.ts',
    'src/key/a.ts',
    'id.ts',
    'id_map.ts',
    'secretary.md',
    'id_rsa.pub',
    'useCredential.ts',
  ])('but %s is', (path) => {
    expect(place().keep('x', { path })).toBe('new');
  });
});

describe('damage', () => {
  test('is not served, removed, and made good by whoever sees the content next', () => {
    const at = place();
    at.keep('right');
    const file = join(at.dir, digestOf('right'));
    fs.writeFileSync(file, 'wrong');
    expect(keptContent(at.state_dir, digestOf('right'))).toBeNull();
    expect(at.names()).toEqual([]);
    expect(at.keep('right')).toBe('new');
    expect(keptContent(at.state_dir, digestOf('right'))?.toString()).toBe('right');
  });

  test('that shows in the size, as after a power loss, is made good at once', () => {
    const at = place();
    at.keep('right');
    fs.truncateSync(join(at.dir, digestOf('right')));
    expect(at.keep('right')).toBe('new');
    expect(keptContent(at.state_dir, digestOf('right'))?.toString()).toBe('right');
  });

  test('of a packed one, and one that would unpack to more than a file may have', () => {
    const at = place();
    at.keep('x');
    const bomb = process.getBuiltinModule('node:zlib').deflateRawSync(Buffer.alloc(64 << 20));
    for (const bytes of [Buffer.from('no deflate'), bomb]) {
      fs.writeFileSync(join(at.dir, `${digestOf('y')}.z`), bytes);
      expect(keptContent(at.state_dir, digestOf('y'))).toBeNull();
      expect(at.names()).toEqual([digestOf('x')]);
    }
  });

  test('a link in the place of an entry is not followed', () => {
    const at = place();
    at.keep('x');
    fs.writeFileSync(join(at.state_dir, 'y'), 'y');
    fs.symlinkSync('../y', join(at.dir, digestOf('y')));
    expect(keptContent(at.state_dir, digestOf('y'))).toBeNull();
    expect(at.keep('y')).toBe('new');
    expect(fs.lstatSync(join(at.dir, digestOf('y'))).isFile()).toBe(true);
  });
});

describe('what fails', () => {
  test('between writing and renaming leaves no name that means something, and is no obstacle', () => {
    const at = place();
    at.keep('x');
    fs.writeFileSync(join(at.dir, `${digestOf('y')}.${process.pid}.tmp`), 'half');
    expect(keptContent(at.state_dir, digestOf('y'))).toBeNull();
    expect(at.keep('y')).toBe('new');
    const [entries, aside] = [
      (name: string) => !name.endsWith('.tmp'),
      `${digestOf('y')}.${process.pid}.tmp`,
    ];
    expect(at.names().filter(entries)).toEqual([digestOf('x'), digestOf('y')].sort());
    // Swept when it is an hour old.
    expect(at.names()).toContain(aside);
  });

  test('a store that is no directory: nothing is kept, and nothing is thrown', () => {
    const at = place();
    fs.writeFileSync(at.dir, '');
    expect(at.keep('x')).toBe('failed');
    expect(keptContent(at.state_dir, digestOf('x'))).toBeNull();
  });

  test.skipIf(root)('a store that cannot be written', () => {
    const at = place();
    at.keep('x');
    fs.chmodSync(at.dir, 0o500);
    expect(at.keep('y')).toBe('failed');
    fs.chmodSync(at.dir, 0o700);
  });

  test('a full disk: nothing is left of it', () => {
    const at = place();
    at.keep('x');
    const write = fs.writeSync;
    const spy = vi.spyOn(fs, 'writeSync').mockImplementation((fd, data) => {
      write(fd, Buffer.from(data).subarray(0, 1));
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    });
    expect(at.keep('yy')).toBe('failed');
    spy.mockRestore();
    expect(at.names()).toEqual([digestOf('x')]);
  });
});
