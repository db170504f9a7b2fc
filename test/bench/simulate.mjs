/**
 * The cost of `guard simulate` with many transcripts: generated sessions that share files, some of them concurrent.
 *
 *   node test/bench/simulate.mjs [transcripts] [megabytes]
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, openSync, rmSync, writeSync, closeSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

const [transcripts = 2_000, megabytes = 500] = process.argv.slice(2).map(Number);
const GUARD = join(import.meta.dirname, '../../bin/guard.cjs');
/** Sessions that begin while another one is running. */
const BESIDE = 8;
const FILES = 400;
const TURN_MS = 4_000;

const dir = mkdtempSync(join(tmpdir(), 'guard-simulate-'));
const texts = Array.from({ length: FILES }, (_, file) => textOf(file, 0));
const bytes_each = (megabytes * 1e6) / transcripts;

function textOf(file, version) {
  const line = (nth) => `export const value_${file}_${nth} = ${nth === version % 40 ? version : nth};\n`;
  return Array.from({ length: 40 }, (_, nth) => line(nth)).join('');
}

const idOf = (...parts) => {
  const hex = createHash('sha256').update(parts.join(' ')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

function write(session) {
  const fd = openSync(join(dir, `${idOf('session', session)}.jsonl`), 'w');
  let at_ms = Date.UTC(2026, 0, 1) + Math.floor(session / BESIDE) * 400 * TURN_MS + (session % BESIDE) * 700;
  let written = 0;
  for (let turn = 0; written < bytes_each; turn++, at_ms += TURN_MS) {
    const file = (Math.floor(session / BESIDE) * 7 + turn * 13) % FILES;
    const lines = linesOf(session, turn, file, at_ms);
    written += writeSync(fd, lines);
  }
  closeSync(fd);
}

function linesOf(session, turn, file, at_ms) {
  const file_path = `/repo/src/file-${file}.ts`;
  const originalFile = texts[file];
  const content = textOf(file, session + turn);
  texts[file] = content;
  const common = { sessionId: idOf('session', session), cwd: '/repo', gitBranch: 'main', isSidechain: false };
  const line = (nth, type, message, more = {}) =>
    `${JSON.stringify({ type, uuid: idOf(session, turn, nth), timestamp: new Date(at_ms + nth * 300).toISOString(), ...common, message, ...more })}\n`;
  const call = (nth, name, input) =>
    line(nth, 'assistant', {
      id: `msg_${session}_${turn}_${nth}`,
      role: 'assistant',
      content: [{ type: 'tool_use', id: `toolu_${session}_${turn}_${name}`, name, input }],
      stop_reason: 'tool_use',
    });
  const result = (nth, name, toolUseResult) => {
    const block = { type: 'tool_result', tool_use_id: `toolu_${session}_${turn}_${name}`, content: 'Done.' };
    return line(nth, 'user', { role: 'user', content: [block] }, { toolUseResult });
  };
  const lines = originalFile.split('\n').length;
  return [
    line(0, 'user', { role: 'user', content: 'Go on.' }),
    call(1, 'Read', { file_path }),
    result(2, 'Read', {
      type: 'text',
      file: { filePath: file_path, content: originalFile, numLines: lines, startLine: 1, totalLines: lines },
    }),
    call(3, 'Bash', { command: `npm test -- file-${file} > /tmp/out.txt` }),
    result(4, 'Bash', { stdout: 'x'.repeat(1_500), stderr: '', interrupted: false }),
    call(5, 'Write', { file_path, content }),
    result(6, 'Write', { type: 'update', filePath: file_path, content, structuredPatch: [], originalFile }),
    line(7, 'assistant', {
      id: `msg_${session}_${turn}_7`,
      role: 'assistant',
      content: [{ type: 'text', text: 'Done.' }],
      stop_reason: 'end_turn',
    }),
  ].join('');
}

try {
  for (let session = 0; session < transcripts; session++) write(session);
  const started = process.hrtime.bigint();
  const run = spawnSync('/usr/bin/time', ['-v', process.execPath, GUARD, 'simulate', dir, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (run.status !== 0) throw new Error(run.stderr);
  const report = JSON.parse(run.stdout);
  const told = (name) => new RegExp(`${name}[^:]*: ([\\d.]+)`).exec(run.stderr)?.[1];
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  console.log({
    transcripts: report.transcripts,
    megabytes: Math.round(report.bytes / 1e6),
    calls: report.calls,
    denied: report.denied.calls,
    wall_s: Number(seconds.toFixed(1)),
    processor_s: Number((Number(told('User time')) + Number(told('System time'))).toFixed(1)),
    peak_mb: Math.round(Number(told('Maximum resident set size')) / 1024),
    load: loadavg()[0],
  });
} finally {
  rmSync(dir, { recursive: true, force: true });
}
