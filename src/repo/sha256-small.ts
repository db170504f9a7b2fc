// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * SHA-256 without a native file and without node:crypto. Loading node:crypto costs a cold hook 3 ms on Node 20 and 4 to
 * 6 ms on Node 24, while this module takes 0.25 ms plus 35 µs per KB (docs/decisions/020).
 */
import { attempt } from '../core/attempt.ts';
import type { Digest } from '../core/types.ts';
import { SHA256_MODULE } from './sha256-module.ts';

/** The part of the platform's WebAssembly that is used here; Node's types do not include it. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
};

interface Module {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Adds the 64-byte blocks in memory from `from` to `end` to the state. */
  readonly blocks: (from: number, end: number) => void;
}

/** FIPS 180-4, 5.3.3. */
const START = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];
/** Where sha256.wat keeps its state and its input, which fills the rest of the page. */
const STATE = 512;
const INPUT = 1024;
const INPUT_BYTES = 65_536 - INPUT;
const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;

/** Null without WebAssembly: `--jitless`, or an address space too small for its memory (`ulimit -v`). */
const load = (): Module | null =>
  attempt(() => {
    const module = new WebAssembly.Module(Buffer.from(SHA256_MODULE, 'base64'));
    return new WebAssembly.Instance(module).exports as Module;
  }, null);

const instance = /* @__PURE__ */ (() => {
  let loaded: Module | null = null;
  return () => (loaded ??= load());
})();

/** The final blocks: padded with zeros, with the length in bits at the end. */
function padded(rest: Uint8Array, length: number): Buffer {
  const size = rest.length + 1 + LENGTH_BYTES <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
  const last = Buffer.alloc(size);
  last.set(rest);
  last[rest.length] = 0x80;
  last.writeUIntBE(length * 8, size - 6, 6);
  return last;
}

/** Lower-case hex; null if WebAssembly cannot be used. */
export function sha256Small(bytes: Uint8Array): Digest | null {
  const module = instance();
  if (module === null) return null;
  const memory = Buffer.from(module.memory.buffer);
  START.forEach((word, nth) => memory.writeUInt32LE(word, STATE + 4 * nth));
  const add = (part: Uint8Array): void => {
    memory.set(part, INPUT);
    module.blocks(INPUT, INPUT + part.length);
  };
  const whole = bytes.length - (bytes.length % BLOCK_BYTES);
  for (let at = 0; at < whole; at += INPUT_BYTES) add(bytes.subarray(at, Math.min(at + INPUT_BYTES, whole)));
  add(padded(bytes.subarray(whole), bytes.length));
  const words = START.map((_, nth) =>
    memory
      .readUInt32LE(STATE + 4 * nth)
      .toString(16)
      .padStart(8, '0'),
  );
  return words.join('');
}
