import { describe, expect, test } from 'vitest';
import { checkFileSystem, networkType } from '../../../src/store/embedded/network-fs.ts';
import { withDir } from '../scratch.ts';

const FUSE = 0x65735546;
const EXT4 = 0xef53;
const mounts = [
  '22 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
  '40 22 0:41 / /home/me/shared rw - fuse.sshfs host:/ rw',
  '41 22 0:42 / /home/me/with\\040space rw - fuse.rclone cloud: rw',
  '42 22 0:43 / /home/me/secret rw - fuse.gocryptfs x rw',
].join('\n');
const typeOf = (type: number, dir: string): string | undefined => networkType(type, dir, () => mounts);

describe('a file system', () => {
  test.each([
    [0x6969, 'nfs'],
    [0xff534d42, 'cifs'],
    // statfs(2) of some kernels returns it sign-extended.
    [0xff534d42 | 0, 'cifs'],
    [0x01021997, '9p'],
    [0x00c36400, 'ceph'],
  ])('of type %d is another machine: %s', (type, name) => expect(typeOf(type, '/x')).toBe(name));

  test.each([
    ['/home/me/shared/repo', 'fuse.sshfs'],
    ['/home/me/shared', 'fuse.sshfs'],
    ['/home/me/with space/repo', 'fuse.rclone'],
    ['/home/me/secret/repo', undefined],
    ['/home/me/shared-not/repo', undefined],
  ])('behind FUSE at %s is %s', (dir, name) => expect(typeOf(FUSE, dir)).toBe(name));

  test('that is local is trusted', () => {
    expect(typeOf(EXT4, '/home/me/shared')).toBeUndefined();
    return withDir((dir) => expect(() => checkFileSystem(dir)).not.toThrow());
  });
});
