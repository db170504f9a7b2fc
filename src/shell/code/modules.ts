/** Which module a name comes from. */
import type { Part } from './token.ts';
import { dotted, type Expression } from './expression.ts';

/** Modules whose functions are known; a name from any other module must not be mistaken for one of them. */
const MODULES: readonly (readonly [RegExp, string])[] = [
  [/^(?:node:)?fs(?:\/promises)?$|^(?:fs-extra|graceful-fs)$/, 'fs'],
  [/^(?:node:)?path(?:\/posix)?$/, 'path'],
  [/^(?:node:)?child_process$/, 'child_process'],
  [/^(?:node:)?process$/, 'process'],
];
/** `token`: the text that names the module. */
export const moduleNamed = (token: { readonly parts: readonly Part[] } | undefined): string => {
  const part = token?.parts[0];
  const name = typeof part === 'string' ? part : '';
  return MODULES.find(([form]) => form.test(name))?.[1] ?? `module ${name}`;
};

/** The full name of the called function: `require('fs').rm` and an imported `rm` are `fs.rm`. Empty if it has no name. */
export function nameOf(callee: Expression, full: (name: string) => string): string {
  const plain = dotted(callee);
  if (plain !== null) return full(plain);
  if (callee.is === 'member') {
    const of = nameOf(callee.of, full);
    return of === '' ? '' : full(`${of}.${callee.name}`);
  }
  const loads =
    callee.is === 'call' && /^(?:require|__import__|importlib\.import_module)$/.test(dotted(callee.of) ?? '');
  const text = loads ? callee.args[0]?.value : undefined;
  if (text?.is !== 'text') return '';
  if (dotted((callee as { of: Expression }).of) === 'require') return moduleNamed(text);
  const [name] = text.parts;
  return typeof name === 'string' ? name : '';
}
