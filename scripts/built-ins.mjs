// How bundles of the hook import what Node has built in.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Named imports of built-ins as plain property reads. esbuild's own form copies every property of the module
 * at every import (100 getters for each of the 40 files that import node:fs): 5 ms of a cold hook.
 */
export const plainBuiltInsOf = (root) => ({
  name: 'plain-built-ins',
  setup(context) {
    const names = importedNames(root);
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
function importedNames(root) {
  const names = new Map();
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.ts')) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
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
