// The licences of the packages that are bundled into dist/: they require their text to accompany every copy.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One text with the name, version and licence of every package among the inputs of a build.
 * @param inputs paths relative to `root`, as in esbuild's metafile
 */
export function noticesFor(root, inputs) {
  const dirs = new Set(inputs.flatMap((path) => packageOf(path) ?? []));
  return [...dirs]
    .toSorted()
    .map((dir) => noticeOf(join(root, dir)))
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** `node_modules/a/node_modules/@b/c/index.js` -> `node_modules/a/node_modules/@b/c`. */
const packageOf = (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];

function noticeOf(dir) {
  const { name, version, license } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const files = existsSync(dir)
    ? readdirSync(dir).filter((file) => /^(?:licen[cs]e|notice)/i.test(file))
    : [];
  const texts = files.toSorted().map((file) => readFileSync(join(dir, file), 'utf8').trim());
  if (texts.length === 0 && typeof license !== 'string') throw new Error(`${name} ${version} has no licence`);
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}
