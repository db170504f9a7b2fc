/**
 * Faults at every file operation of a store, inside this process: the engine's bundle calls the functions of node:fs
 * through the module, so they can be replaced while it runs. After "dying", every later operation only fails; closing
 * files still works, as the kernel does that for a dead process.
 */
import fs from 'node:fs';

/** Everything that the engine calls. A test keeps the list complete. */
export const OPERATIONS = [
  'openSync',
  'closeSync',
  'readSync',
  'writeSync',
  'fstatSync',
  'lstatSync',
  'statSync',
  'statfsSync',
  'readdirSync',
  'readFileSync',
  'ftruncateSync',
  'fdatasyncSync',
  'fsyncSync',
  'renameSync',
  'unlinkSync',
  'rmdirSync',
  'copyFileSync',
  'mkdirSync',
  'chmodSync',
  'existsSync',
  'utimesSync',
] as const;
export type Operation = (typeof OPERATIONS)[number];

export type Fault =
  | { readonly kind: 'die'; readonly when: 'before' | 'after' }
  /** Half of a write reaches the file, then the process dies. */
  | { readonly kind: 'tear' }
  /** A write reports that it wrote only half. */
  | { readonly kind: 'short' }
  | { readonly kind: 'error'; readonly code: string; readonly sticky: boolean };

export class Died extends Error {}

export interface Call {
  readonly operation: Operation;
  readonly target: string;
}

export interface Faulted<T> {
  /** What `act` returned or threw. */
  readonly result: T | undefined;
  readonly error: unknown;
  readonly died: boolean;
  readonly hit: boolean;
  readonly calls: readonly Call[];
}

type Anything = (...args: unknown[]) => unknown;

function systemError(code: string, operation: string): Error {
  return Object.assign(new Error(`${code}: injected, ${operation}`), { code, errno: -1, syscall: operation });
}

/** Writes the first half of a write call's data. */
function halfWrite(real: Anything, args: unknown[]): unknown {
  const [fd, bytes, offset = 0, length, position = null] = args as [
    number,
    Uint8Array,
    number?,
    number?,
    number?,
  ];
  const whole = length ?? bytes.length - offset;
  return real(fd, bytes, offset, Math.floor(whole / 2), position);
}

/** What a death in the middle of the operation leaves. */
function tear(operation: Operation, args: unknown[], real: Readonly<Record<Operation, Anything>>): void {
  if (operation === 'writeSync') halfWrite(real.writeSync, args);
  if (operation !== 'copyFileSync') return;
  real.copyFileSync(...args);
  const copy = String(args[1]);
  fs.truncateSync(copy, Math.floor((real.statSync(copy) as fs.Stats).size / 2));
}

interface Plan {
  readonly at: number;
  readonly fault: Fault;
}

/** Runs `act` with the fault at its `at`-th file operation, counted from 1; 0 only records the calls. */
export function withFault<T>(act: () => T, { at, fault }: Plan): Faulted<T> {
  const table = fs as unknown as Record<Operation, Anything>;
  const real = Object.fromEntries(OPERATIONS.map((name) => [name, table[name]])) as Record<
    Operation,
    Anything
  >;
  const calls: Call[] = [];
  let died = false;
  let hit = false;

  function inject(operation: Operation, args: unknown[]): unknown {
    hit = true;
    if (fault.kind === 'error') {
      // A failing close(2) has closed the file all the same.
      if (operation === 'closeSync') real.closeSync(...args);
      throw systemError(fault.code, operation);
    }
    const writes = operation === 'writeSync';
    if (fault.kind === 'short') return writes ? halfWrite(real[operation], args) : real[operation](...args);
    if (fault.kind === 'tear') tear(operation, args, real);
    // A dead process's files are closed in any case.
    if (operation === 'closeSync' || (fault.kind === 'die' && fault.when === 'after'))
      real[operation](...args);
    died = true;
    throw new Died();
  }

  const patched =
    (operation: Operation): Anything =>
    (...args) => {
      if (died && operation !== 'closeSync') throw new Died();
      if (died) return real[operation](...args);
      calls.push({ operation, target: typeof args[0] === 'string' ? args[0] : '' });
      const isDue = calls.length === at || (hit && fault.kind === 'error' && fault.sticky);
      return isDue ? inject(operation, args) : real[operation](...args);
    };

  const patches = OPERATIONS.map((operation) => [operation, patched(operation)] as const);
  Object.assign(table, Object.fromEntries(patches));
  try {
    return { result: act(), error: undefined, died, hit, calls: [...calls] };
  } catch (error) {
    return { result: undefined, error, died, hit, calls: [...calls] };
  } finally {
    Object.assign(table, real);
  }
}
