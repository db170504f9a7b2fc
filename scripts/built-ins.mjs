// How bundles of the hook import what Node has built in.
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Named imports of built-ins as plain property reads. esbuild's own form copies every property of the module
 * at every import (100 getters for each of the 40 files that import node:fs): 5 ms of a cold hook.
 * A read of a property is never left out, so `reads` says whose names are wanted at all: by a path below src.
 */
export const plainBuiltInsOf = (root, reads = () => true) => ({
  name: 'plain-built-ins',
  setup(context) {
    const names = importedNames(root, reads);
    context.onResolve({ filter: /^node:/, namespace: 'built-in' }, ({ path }) => ({ path, external: true }));
    context.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'built-in' }));
    context.onLoad({ filter: /.*/, namespace: 'built-in' }, ({ path }) => {
      const named = [...(names.get(path) ?? [])].map((it) => `export const ${it} = built_in.${it};`);
      return {
        contents: [`const built_in = require('${path}');`, 'export default built_in;', ...named].join('\n'),
        loader: 'js',
      };
    });
  },
});

/** For every built-in the names that some source imports. */
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
