/**
 * Guard's own native file (native/guard.c), one for each architecture of Linux: Node-API, so it is the same for every Node
 * version, and no C library, so it is the same with glibc and musl. 6 KB, opened directly: 0.2 ms, where node:crypto costs a
 * cold hook 3 to 6 (docs/decisions/192).
 */

/** Each answers undefined where it cannot read what it is given. */
export interface Native {
  /** flock(2): 0, or the negative errno. */
  take(fd: number, operation: number): number | undefined;
  /** What this process started is its child again once its parent is gone: 0, or the negative errno. */
  adopt(): number | undefined;
  /** Of a child that is dead: its pid. 0: it lives. */
  bury(pid: number): number | undefined;
  /** Lower-case hex. */
  sha256(bytes: Uint8Array): string | undefined;
  /** CRC-32 of `bytes[start..end)`. */
  crc32(bytes: Uint8Array, start: number, end: number): number | undefined;
  /** Of a page of the ledger's index. */
  pageSum(page: Int32Array, number: number): number | undefined;
}

/**
 * In this package and nowhere above it: `native` could be the name of a package of somebody else's.
 * @param running this file, as source, bundle or chunk
 */
export const nativeDir = (running: string = import.meta.filename): string => `${packageRoot(running)}/native`;

/** @param running a file of it, as source, bundle or chunk */
export const packageRoot = (running: string): string =>
  running.slice(0, Math.max(running.lastIndexOf('/dist/'), running.lastIndexOf('/src/')));

export const nativeName = (platform: string, arch: string): string => `guard-${platform}-${arch}.node`;

/** What the file has; nothing where there is none for this machine, or it is gone: doctor says so, others do its work. */
export function openNative(file: string): Partial<Native> {
  const opened: { exports: Partial<Native> } = { exports: {} };
  try {
    process.dlopen(opened, file);
  } catch {
    return {};
  }
  return opened.exports;
}

export const nativeCode = /* @__PURE__ */ (() => {
  let opened: Partial<Native> | undefined;
  return () => (opened ??= openNative(`${nativeDir()}/${nativeName(process.platform, process.arch)}`));
})();
