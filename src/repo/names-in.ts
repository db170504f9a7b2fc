import fs from 'node:fs';
import { attempt } from '../core/attempt.ts';

/** The names in a directory; empty if it cannot be read. */
export const namesIn = (dir: string): string[] => attempt(() => fs.readdirSync(dir), []);
