import fs from 'node:fs';
import { attempt } from '../core/attempt.ts';

/** What is in a directory; nothing, where it cannot be read. */
export const namesIn = (dir: string): string[] => attempt(() => fs.readdirSync(dir), []);
