// Runs the commands of the corpora for real, each in a fresh copy of its repository, without a network and with a time
// limit, and compares the changes with those in the row.
//   node test/shell/corpus/measure.mjs [--write] [--only TEXT] [FILE.jsonl …]
// --write stores the measured changes in the files; --only measures the rows with TEXT in their id.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { load } from './load.mjs';

const here = import.meta.dirname;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const { corporaIn, lineOf, readRows } = await load('rows.ts');
const { measure } = await load('measured.ts');
const { Copies } = await load('fixture.ts');

const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'shell-corpus-')));
const copies = new Copies(base, path.join(here, '../../../node_modules'));
let faults = 0;
const fault = (row, why) => {
  faults += 1;
  console.log(`${row.id}  ${why}`);
};

async function measured(row) {
  if (!row.ran || !row.id.includes(values.only)) return row;
  const { changes, wrong, exit, output } = await measure(row, copies);
  if (wrong !== '')
    fault(
      row,
      `${wrong}: ${row.command}\n    exit ${exit}, changed ${changes.join(', ') || 'nothing'}\n    ${output.slice(0, 400).replaceAll('\n', '\n    ')}`,
    );
  else if (!values.write && JSON.stringify(changes) !== JSON.stringify(row.changes))
    fault(row, `changed ${changes.join(', ') || 'nothing'}, not ${row.changes.join(', ') || 'nothing'}`);
  return { ...row, changes };
}

try {
  for (const file of positionals.length > 0 ? positionals : corporaIn(here)) {
    const rows = [];
    for (const row of readRows(file)) rows.push(await measured(row));
    if (values.write) fs.writeFileSync(file, rows.map((row) => `${lineOf(row)}\n`).join(''));
    const count = (kind) => rows.filter((row) => row.kind === kind && row.ran).length;
    console.log(
      `${path.basename(file)}: ${count('writes')} writing, ${count('harmless')} harmless, ${rows.filter((row) => !row.ran).length} not run`,
    );
  }
} finally {
  fs.rmSync(base, { recursive: true, force: true });
}
if (faults > 0) console.log(`${faults} rows are not what they say`);
process.exitCode = faults > 0 ? 1 : 0;
