import { expect, test } from 'vitest';
import { ARCHIVES } from '../../../src/shell/writers/archives.ts';
import { COMPILERS } from '../../../src/shell/writers/compilers.ts';
import { COMPRESSORS } from '../../../src/shell/writers/compress.ts';
import { COREUTILS } from '../../../src/shell/writers/coreutils.ts';
import { EDITORS } from '../../../src/shell/writers/editors.ts';
import { FORMATTERS } from '../../../src/shell/writers/formatters.ts';
import { INTERPRETERS } from '../../../src/shell/writers/interpreters.ts';
import { namesOf } from '../../../src/shell/writers/names.ts';
import { OUTPUTS } from '../../../src/shell/writers/outputs.ts';
import { PACKAGES } from '../../../src/shell/writers/managers.ts';
import { SCOPE_WRITERS } from '../../../src/shell/writers/scopes.ts';
import { TASKS } from '../../../src/shell/writers/tasks.ts';
import { TRANSFERS } from '../../../src/shell/writers/transfers.ts';

test.each([
  ['archives', ARCHIVES],
  ['compilers', COMPILERS],
  ['compressors', COMPRESSORS],
  ['coreutils', COREUTILS],
  ['editors', EDITORS],
  ['formatters', FORMATTERS],
  ['interpreters', INTERPRETERS],
  ['outputs', OUTPUTS],
  ['packages', PACKAGES],
  ['scopes', SCOPE_WRITERS],
  ['tasks', TASKS],
  ['transfers', TRANSFERS],
] as const)('the names of %s are those of its table', (family, table) => {
  expect(namesOf(family).all().toSorted()).toEqual(Object.keys(table).toSorted());
});
