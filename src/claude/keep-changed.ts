/** Before a command: files that are not as they were last seen, so that what the command makes of them can be undone. */
import { digestFile } from '../repo/digest.ts';
import type { Target } from '../repo/canonical.ts';
import { keep } from './kept.ts';
import type { SeenBytes } from './kept.ts';
import type { Place, Scene } from './scene.ts';

export interface ChangedFile {
  readonly place: Place;
  readonly target: Pick<Target, 'path' | 'abs' | 'real'>;
  /** Where somebody took it already, with its bytes. */
  readonly disk?: SeenBytes;
}

/** Of one command; a checkout that was changed as a whole is git's to bring back. */
const FILES_MAX = 200;

export function keepChanged(scene: Scene, files: readonly ChangedFile[]): void {
  for (const { place, target, disk } of files.slice(0, FILES_MAX)) {
    const known = disk?.bytes === undefined ? look(scene, target.real) : disk;
    keep(scene, place, target, known);
  }
}

const look = ({ deadline }: Scene, real: string): SeenBytes =>
  digestFile(real, { deadline, want_bytes: true });
