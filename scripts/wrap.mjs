/** Makes each bundle the function that src/repo/compiled.ts runs. */
import { isAscii } from 'node:buffer';
import { readFileSync, writeFileSync } from 'node:fs';

/** Wraps here, because that would copy half a megabyte at run time. Returns the new bytes. */
export function wrap(path) {
  const bytes = readFileSync(path);
  // One other character doubles the memory of the whole source, and the time to read and compile it.
  if (!isAscii(bytes)) throw new Error(`${path} is not all ASCII: write \\uXXXX in the regular expression`);
  const wrapped = Buffer.from(
    `(function(module,require,__filename){${bytes.toString('latin1').trimEnd()}\n})`,
  );
  writeFileSync(path, wrapped);
  return wrapped;
}
