/** `70 s`, `3 min`: for people. */
export const duration = (ms: number): string =>
  ms < 120_000 ? `${Math.max(0, Math.floor(ms / 1000))} s` : `${Math.floor(ms / 60_000)} min`;
