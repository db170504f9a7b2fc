/**
 * A stub guard with fixed rules, as real processes: `dist/hook.cjs` denies files with `deny` in their name, misbehaves
 * for `garbage` and `crash`, and records its input; `bin/guard.mjs` records its arguments.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Seen {
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Content of the event's file when the hook ran. */
  readonly content: string | null;
  /** Whether the client process named by CLAUDE_PID was alive. */
  readonly client: boolean | null;
}

export interface StubGuard {
  readonly root: string;
  seen(): readonly Seen[];
  calls(): readonly (readonly string[])[];
}

const HOOK = `
const fs = require('fs');
const stdin = fs.readFileSync(0, 'utf8');
let event = {};
try { event = JSON.parse(stdin); } catch {}
const file = event.tool_input?.file_path;
const read = (path) => { try { return fs.readFileSync(path, 'utf8'); } catch { return null; } };
const alive = (pid) => { try { process.kill(Number(pid), 0); return true; } catch { return false; } };
const client = process.env.CLAUDE_PID ? alive(process.env.CLAUDE_PID) : null;
fs.appendFileSync(SEEN, JSON.stringify({ stdin, env: process.env, cwd: process.cwd(), content: file ? read(file) : null, client }) + '\\n');
const say = (output) => fs.writeSync(1, JSON.stringify({ hookSpecificOutput: { hookEventName: event.hook_event_name, ...output } }) + '\\n');
const deny = () => { say({ permissionDecision: 'deny', permissionDecisionReason: JSON.stringify({ error_type: 'STALE_FILE', details: { path: file } }) }); process.exit(2); };
if (event.hook_event_name === 'SessionStart') say({ additionalContext: 'hello' });
if (event.hook_event_name === 'PreToolUse' && file?.includes('deny')) deny();
if (event.hook_event_name === 'PreToolUse' && file?.includes('rewrite')) say({ updatedInput: {} });
if (file?.includes('garbage')) { fs.writeSync(1, 'oops ' + file); }
if (file?.includes('crash')) { fs.writeSync(2, 'at ' + file); process.exit(1); }
`;

const GUARD = `
import { appendFileSync } from 'node:fs';
appendFileSync(CALLS, JSON.stringify([...process.argv.slice(2), process.env.CLAUDE_CODE_SESSION_ID ?? null].filter((word) => word !== null)) + '\\n');
if (process.argv[2] === 'broken') { process.stderr.write('broken in ' + process.cwd()); process.exit(2); }
if (process.argv[2] === 'no') process.exit(1);
`;

const linesOf = <T>(file: string): T[] => {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as T);
};

export function makeStubGuard(): StubGuard {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'stub-guard-')));
  const [seen, calls] = [join(root, 'seen.jsonl'), join(root, 'calls.jsonl')];
  for (const dir of ['dist', 'bin']) mkdirSync(join(root, dir));
  for (const file of [seen, calls]) writeFileSync(file, '');
  writeFileSync(join(root, 'dist/hook.cjs'), `const SEEN = ${JSON.stringify(seen)};${HOOK}`);
  writeFileSync(join(root, 'bin/guard.mjs'), `const CALLS = ${JSON.stringify(calls)};${GUARD}`);
  return { root, seen: () => linesOf(seen), calls: () => linesOf(calls) };
}
