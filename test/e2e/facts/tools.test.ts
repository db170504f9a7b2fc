import { expect } from 'vitest';

import { situation } from '../client/stage.ts';
import { type Case, casesOf, keepCases, replayCases } from './cases.ts';

/** GUARD_E2E_RECORD=1 saves this client's behavior as the new recording. */
const RECORD = process.env['GUARD_E2E_RECORD'] === '1';

for (const file of ['encodings.json', 'edits.json', 'reads.json']) {
  situation(`the client still reads and writes as recorded in ${file}`, async ({ stage }) => {
    const cases = casesOf(file);
    const found = await replayCases(stage, cases);
    if (RECORD) keepCases(file, found);
    else expect(found.map(steady)).toEqual(cases.map(steady));
  });
}

/** Without the part that differs from run to run: a new cell's id. */
function steady(one: Case): unknown {
  return JSON.parse(JSON.stringify(one).replaceAll(/"cell_id":"[0-9a-f]{8}"/g, '"cell_id":"new"'));
}
