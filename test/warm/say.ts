/** A long run tells how far it is: GUARD_WARM_LOG names a file that gets a line for each piece. */
import fs from 'node:fs';

export function say(line: string): void {
  const file = process.env['GUARD_WARM_LOG'];
  if (file !== undefined) fs.appendFileSync(file, `${line}\n`);
}
