import { afterAll, beforeAll, expect, test } from 'vitest';

import { effectsIn, makeScratch, removeScratch, short, targetsOf } from './scratch.ts';
import { TOLD_OF_CODE } from './told-code.ts';
import { TOLD as TOLD_OF_TOOLS } from './told-rows.ts';

const TOLD = [...TOLD_OF_TOOLS, ...TOLD_OF_CODE];

let root = '';
beforeAll(() => {
  root = makeScratch();
});
afterAll(() => removeScratch(root));

test('every family has lines that write and lines that only read', () => {
  expect(TOLD.filter(([, said]) => said !== '').length).toBeGreaterThan(100);
  expect(TOLD.filter(([, said]) => said === '').length).toBeGreaterThan(50);
});

test.each(TOLD)('%s', (line, said) => {
  const effects = effectsIn(root, line);
  const scopes = effects.scopes.flatMap(({ kind, paths, is_glob }) =>
    paths.map((path) => `${kind}${is_glob === true ? '*' : ''} ${short(path, root)}`),
  );
  const unknown = effects.unresolved.map(({ reason }) => `? ${reason}`);
  expect([...targetsOf(effects, root), ...scopes, ...unknown].join(', ')).toBe(said);
});
