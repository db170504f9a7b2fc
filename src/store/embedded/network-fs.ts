/**
 * File systems on which flock(2) does not exclude every writer: another machine, or the host of this virtual machine,
 * may hold the "same" lock. Checked when an index is created, so never on the usual path: a directory that is mounted
 * elsewhere has an index from another boot, and gets a new one.
 */
import { readFileSync, statfsSync } from 'node:fs';
import { GuardError } from '../../core/error.ts';

/** f_type from statfs(2) on Linux. */
const NETWORK: Readonly<Record<number, string>> = {
  0x6969: 'nfs',
  0x517b: 'smb',
  0xff534d42: 'cifs',
  0xfe534d42: 'smb2',
  0x01021997: '9p',
  0x5346414f: 'afs',
  0x6b414653: 'afs',
  0x73757245: 'coda',
  0x00c36400: 'ceph',
  0x0bd00bd0: 'lustre',
  0x47504653: 'gpfs',
  0x7461636f: 'ocfs2',
  0x01161970: 'gfs2',
  0x19830326: 'beegfs',
};
const FUSE = 0x65735546;
/** FUSE file systems that several machines share. Others (encrypted homes, ntfs-3g, mergerfs) are local. */
const NETWORK_FUSE =
  /^fuse\.(sshfs|glusterfs|s3fs|rclone|gcsfuse|goofys|ceph|davfs2?|moosefs|juicefs|seaweedfs|curlftpfs|smbnetfs|gvfsd-fuse|blobfuse2?|nfs.*)$/;

/** Format of mountinfo: `… mount-point options - type source super-options`. The longest matching mount point wins. */
function fuseTypeOf(dir: string, mountinfo: string): string | undefined {
  let best = { length: -1, type: undefined as string | undefined };
  for (const line of mountinfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const point = (before.split(' ')[4] ?? '').replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(parseInt(octal, 8)),
    );
    const inside = dir === point || dir.startsWith(point.endsWith('/') ? point : `${point}/`);
    if (inside && point.length > best.length) best = { length: point.length, type: after.split(' ')[0] };
  }
  return best.type;
}

/** The name of a file system type on which guard does not rely on locks; undefined for all others. */
export function networkType(type: number, dir: string, mountinfo: () => string): string | undefined {
  const name = NETWORK[type >>> 0];
  if (name !== undefined || type >>> 0 !== FUSE) return name;
  const fuse = fuseTypeOf(dir, mountinfo());
  return fuse !== undefined && NETWORK_FUSE.test(fuse) ? fuse : undefined;
}

/** Throws GUARD_ERR_NETWORK_FS. Only Linux identifies file systems reliably; elsewhere guard doctor probes. */
export function checkFileSystem(dir: string): void {
  if (process.platform !== 'linux') return;
  const type = networkType(statfsSync(dir).type, dir, () => readFileSync('/proc/self/mountinfo', 'utf8'));
  if (type === undefined) return;
  throw new GuardError(
    'GUARD_ERR_NETWORK_FS',
    `${dir} is on ${type}, where a lock does not exclude other machines.`,
    'Keep the repository (its git directory) on a local file system.',
    { path: dir, type },
  );
}
