/** Where plugins come from, as settings say it (2.1.330). */
import type { ShapeFields, Shape } from './shape.ts';

const NOT_EMPTY: Shape = { like: '[^]' };
const CHECKOUT: ShapeFields = {
  ref: 'string',
  path: 'string',
  sparsePaths: { list: 'string' },
  skipLfs: 'boolean',
};

/** All of `needs` and `source` itself must be there. */
const source = (name: string, needs: string, fields: ShapeFields): Shape => ({
  fields: { source: { one_of: name }, ...fields },
  needs: `source ${needs}`.trim(),
});

/** In the lists of what an administrator allows: an entry that fits none of these costs the whole file. */
export const MARKETPLACE_SOURCE: Shape = {
  any_of: [
    source('url', 'url', { url: 'url', headers: { map: 'string' }, headersHelper: { like: '^[^]{0,500}$' } }),
    source('github', 'repo', { repo: 'string', ...CHECKOUT }),
    source('git', 'url', { url: 'string', ...CHECKOUT }),
    source('npm', 'package', { package: 'string', version: 'string', registry: 'url' }),
    source('file', 'path', { path: 'string' }),
    source('directory', 'path', { path: 'string' }),
    source('skills-dir', '', {}),
    source('pluginDirectory', '', {}),
    source('hostPattern', 'hostPattern', { hostPattern: 'string' }),
    source('pathPattern', 'pathPattern', { pathPattern: 'string' }),
    source('settings', 'name plugins', { name: NOT_EMPTY, plugins: { list: 'any' } }),
  ],
};

/**
 * In the lists of known marketplaces a wrong entry costs nothing but itself, unless its kind, or that of one of its
 * plugins, is one that the client does not know: that costs the whole file.
 */
export const MARKETPLACE: Shape = {
  fields: {
    source: {
      fields: {
        source: {
          one_of: 'url github git npm file directory skills-dir hostPattern pathPattern settings',
          lenient: true,
        },
        plugins: {
          list: {
            fields: {
              source: {
                any_of: [
                  'number',
                  'boolean',
                  // A path of this machine is refused, whatever else is wrong.
                  { like: '^(?!\\./)' },
                  {
                    fields: {
                      source: {
                        one_of: 'npm url github git-subdir archive command unsupported',
                        lenient: true,
                      },
                    },
                  },
                ],
              },
            },
            lenient: true,
          },
          lenient: true,
        },
      },
      lenient: true,
    },
  },
  lenient: true,
};
