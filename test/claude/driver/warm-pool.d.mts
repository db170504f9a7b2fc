import type { Request } from './warm.ts';

export interface Done {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function ask(asked: Request): Promise<Done>;
