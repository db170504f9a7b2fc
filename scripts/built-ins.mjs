// How bundles of the hook import Node's built-in modules.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';

/** They take 1 to 6 ms to load, and most calls never use them. */
export const ON_CALL = ['node:crypto', 'node:child_process', 'node:tty', 'node:timers/promises', 'node:os'];

/**
 * Turns named imports of built-ins into plain property reads. esbuild's own form copies every property of the module at
 * every import (100 getters for each of the 40 files that import node:fs): 5 ms of a cold hook. A property read is never
 * removed as unused, so `reads` decides by path below src whose imports count. Not by `require`, for which Node compiles six
 * functions of its own in every process.
 */
export const plainBuiltInsOf = (root, reads = () => true, onCall = []) => ({
  name: 'plain-built-ins',
  setup(context) {
    const names = importedNames(root, reads);
    context.onResolve({ filter: /^node:/, namespace: 'built-in' }, ({ path }) => ({ path, external: true }));
    // A library's own require needs the whole module.
    context.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, external: true } : { path, namespace: 'built-in' },
    );
    context.onLoad({ filter: /.*/, namespace: 'built-in' }, ({ path }) => {
      const wanted = [...(names.get(path) ?? [])];
      if (onCall.includes(path))
        return { contents: wanted.map((it) => called(path, it)).join('\n'), loader: 'js' };
      const named = wanted.map((it) => `export const ${it} = built_in.${it};`);
      return {
        contents: [
          `const built_in = process.getBuiltinModule('${path}');`,
          'export default built_in;',
          ...named,
        ].join('\n'),
        loader: 'js',
      };
    });
  },
});

/** Loaded by the first call. Anything but a plain function is then not exported, which the build reports. */
const called = (path, name) =>
  typeof createRequire(import.meta.url)(path)[name] === 'function'
    ? `export const ${name} = (...args) => require('${path}').${name}(...args);`
    : '';

/** For every built-in, the names that any source imports. */
function importedNames(root, reads) {
  const names = new Map();
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.name.endsWith('.ts') || !reads(relative(join(root, 'src'), path))) continue;
    const text = readFileSync(path, 'utf8');
    for (const [, list, module] of text.matchAll(
      /import (?!type )[^;]*?\{([^}]*)\} from '(node:[\w/]+)';/g,
    )) {
      const imported = list.split(',').map((it) => it.trim().split(' as ')[0]);
      const wanted = imported.filter((it) => it !== '' && !it.startsWith('type '));
      names.set(module, new Set([...(names.get(module) ?? []), ...wanted]));
    }
  }
  return names;
}
