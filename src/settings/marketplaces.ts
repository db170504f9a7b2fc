/** Sources of plugins, in the form that settings use (2.1.330). */
import { each, type Shape, type ShapeFields } from './shape.ts';

const NOT_EMPTY: Shape = { like: '[^]' };
const CHECKOUT: ShapeFields = {
  ...each('string', 'ref path'),
  sparsePaths: { list: 'string' },
  skipLfs: 'boolean',
};

/** `source` and all of `needs` are required. */
const source = (name: string, needs: string, fields: ShapeFields): Shape => ({
  fields: { source: { one_of: name }, ...fields },
  needs: `source ${needs}`.trim(),
});

/** In an administrator's lists of what is allowed, an entry that fits none of these voids the whole file. */
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

const ofKind = (one_of: string): ShapeFields => ({ source: { one_of, lenient: true } });

const PLUGIN_SOURCE: Shape = {
  any_of: [
    'number',
    'boolean',
    // A local path is refused, even if nothing else is wrong.
    { like: '^(?!\\./)' },
    { fields: ofKind('npm url github git-subdir archive command unsupported') },
  ],
};

const PLUGIN: Shape = { fields: { source: PLUGIN_SOURCE }, lenient: true };

const KNOWN_SOURCE: Shape = {
  fields: {
    ...ofKind('url github git npm file directory skills-dir hostPattern pathPattern settings'),
    plugins: { list: PLUGIN, lenient: true },
  },
  lenient: true,
};

/**
 * In the lists of known marketplaces, a wrong entry voids only itself, unless its kind, or that of one of its plugins,
 * is unknown to the client: then the whole file is void.
 */
export const MARKETPLACE: Shape = { fields: { source: KNOWN_SOURCE }, lenient: true };
