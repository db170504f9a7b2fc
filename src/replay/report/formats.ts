import type { Report } from '../replay.ts';
import { toGithub } from './github.ts';
import { toJson } from './json.ts';
import { toJunit } from './junit.ts';
import { toText } from './text.ts';

export const FORMATS = {
  text: toText,
  json: toJson,
  junit: toJunit,
  github: toGithub,
} as const satisfies Record<string, (reports: readonly Report[]) => string>;

export type Format = keyof typeof FORMATS;
