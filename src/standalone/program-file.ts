import { PACKAGE_NAME } from '../install/package-name.ts';
import { packageOf } from '../install/guard-root.ts';

/** The greedy beginning makes the package's own `bin` or `dist` the last one in the path. */
const IN_PACKAGE = /^((?:[A-Za-z]:)?[/\\].*)[/\\](?:bin|dist)[/\\](?:cli[/\\])?[\w-]+\.[cm]js$/;

/** Whether a word is the absolute path of a program file of guard: the binary is a Node for these files alone. */
export function isProgramFile(word: string): boolean {
  const root = IN_PACKAGE.exec(word)?.[1];
  return root !== undefined && packageOf(root).name === PACKAGE_NAME;
}
