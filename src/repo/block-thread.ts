/** Stops this thread for a while: nothing else happens in it meanwhile. */
export const blockThread = (ms: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
