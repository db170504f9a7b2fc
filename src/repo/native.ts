/**
 * Guard's own native file (native/guard.c), one per architecture of Linux. It uses Node-API, so one file serves every
 * Node version, and no C library, so one file serves glibc and musl. It has 7 KB and loads in 0.2 ms, where node:crypto
 * takes 3 to 6 in a cold hook (docs/decisions/192).
 */

/** Each function returns undefined if it cannot read its arguments. */
export interface Native {
  /** flock(2): 0, or the negative errno. */
  take(fd: number, operation: number): number | undefined;
  /** Makes this process adopt descendants whose parents have died (a subreaper): 0, or the negative errno. */
  adopt(): number | undefined;
  /** Ends the process with a status from 0 to 255, without any cleanup. */
  end(status: number): undefined;
  /** Reaps a child that has died and returns its pid; 0 if it is alive. */
  bury(pid: number): number | undefined;
  /** Lower-case hex. */
  sha256(bytes: Uint8Array): string | undefined;
  /** CRC-32 of `bytes[start..end)`. */
  crc32(bytes: Uint8Array, start: number, end: number): number | undefined;
  /** Checksum of a page of the ledger's index. */
  pageSum(page: Int32Array, number: number): number | undefined;
}

/**
 * Only in this package and nowhere above it: a directory `native` there could belong to another package.
 * @param running this file, as source, bundle or chunk
 */
export const nativeDir = (running: string = import.meta.filename): string => `${packageRoot(running)}/native`;

/** @param running a file of this package, as source, bundle or chunk */
export const packageRoot = (running: string): string =>
  running.slice(0, Math.max(running.lastIndexOf('/dist/'), running.lastIndexOf('/src/')));

export const nativeName = (platform: string, arch: string): string => `guard-${platform}-${arch}.node`;

/** The file's functions; none if it is missing or there is none for this machine, which doctor reports: fallbacks do the work. */
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
