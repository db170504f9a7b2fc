import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { keepContent, type KeepOutcome } from '../../src/contents/keep-content.ts';
import { UNDO_DEFAULTS, type UndoLimits } from '../../src/core/undo-limits.ts';
import { digestBytes } from '../../src/repo/digest.ts';

export interface Place {
  readonly state_dir: string;
  readonly dir: string;
  keep(content: string | Buffer, how?: How): KeepOutcome;
  names(): readonly string[];
}

interface How {
  readonly path?: string;
  readonly abs?: string;
  readonly limits?: Partial<UndoLimits>;
  readonly wall_ms?: number;
}

export const digestOf = (content: string | Buffer): string => digestBytes(Buffer.from(content));

export function place(): Place {
  const state_dir = fs.mkdtempSync(join(os.tmpdir(), 'guard-contents-'));
  onTestFinished(() => fs.rmSync(state_dir, { recursive: true, force: true }));
  const dir = join(state_dir, 'contents');
  return {
    state_dir,
    dir,
    keep(content, { path = 'src/a.ts', abs = `/r/${path}`, limits = {}, wall_ms = Date.now() } = {}) {
      const bytes = Buffer.from(content);
      const store = { state_dir, limits: { ...UNDO_DEFAULTS, ...limits }, wall_ms };
      return keepContent(store, { path, abs, digest: digestOf(bytes), bytes });
    },
    names: () => (fs.existsSync(dir) ? fs.readdirSync(dir).sort() : []),
  };
}
