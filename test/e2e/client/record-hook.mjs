// A hook that only records: it appends {at_ms, event} to the file argv[2], and answers as the table argv[3] says:
// [{event, tool?, says?, exit?, stdout?, stderr?}]; `says` is a text that the payload must contain.
import fs from 'node:fs';

const at_ms = Date.now();
const raw = fs.readFileSync(0, 'utf8');
const event = JSON.parse(raw);
fs.appendFileSync(process.argv[2], JSON.stringify({ at_ms, event, env: process.env }) + '\n');

const table = process.argv[3] ? JSON.parse(fs.readFileSync(process.argv[3], 'utf8')) : [];
const answer = table.find(
  (row) =>
    row.event === event.hook_event_name &&
    (!row.tool || row.tool === event.tool_name) &&
    (!row.says || raw.includes(row.says)),
);
if (answer) {
  if (answer.stdout)
    fs.writeSync(1, typeof answer.stdout === 'string' ? answer.stdout : JSON.stringify(answer.stdout));
  if (answer.stderr) fs.writeSync(2, answer.stderr);
  process.exitCode = answer.exit ?? 0;
}
