export interface Taken {
  readonly wall_ms: number;
  readonly cpu_ms: number;
}

export function timed(
  line: string,
  at: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly input: string;
  },
): Taken;
