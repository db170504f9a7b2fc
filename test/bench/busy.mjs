// Busy agents for the background of a measurement: each is its own session that holds a file, edits it and runs a command in
// a loop, with every hook started as the client starts it.
//   node busy.mjs '{"nth":0,"node":…,"hook":…,"repo":…,"transcripts":…}'     one agent: prints a line per edit until it is killed
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { lineOf } from './timed.mjs';

const self = fileURLToPath(import.meta.url);
const guard = path.join(path.dirname(self), '../../bin/guard.cjs');
const fileOf = (repo, nth) => path.join(repo, `busy-${nth}.txt`);

/** Resolves when every agent has made one edit. */
export async function startBusy(count, { env, ...at }) {
  let edits = 0;
  const begin = (nth) => {
    fs.writeFileSync(fileOf(at.repo, nth), 'begin\n');
    const child = spawn(process.execPath, [self, JSON.stringify({ ...at, nth })], {
      cwd: at.repo,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (lines) => (edits += lines.length));
    const begun = new Promise((resolve, reject) => {
      child.stdout.once('data', resolve);
      child.once('exit', (code) => reject(new Error(`a busy agent ended with ${code}`)));
    });
    return { child, begun };
  };
  const all = Array.from({ length: count }, (_, nth) => begin(nth));
  await Promise.all(all.map(({ begun }) => begun));
  return {
    /** Stops the agents and counts their edits, after a pause in which the event loop reads their output. */
    async stop() {
      await new Promise((resolve) => setTimeout(resolve, 100));
      for (const { child } of all) child.removeAllListeners('exit').kill();
      return { edits };
    },
  };
}

function work({ node, hook, repo, nth, transcripts }) {
  const session_id = `busy-${nth}`;
  const base = { session_id, transcript_path: path.join(transcripts, `${session_id}.jsonl`), cwd: repo };
  const tell = (event) => {
    const input = JSON.stringify({ ...base, ...event });
    return spawnSync('/bin/sh', ['-c', lineOf(node, hook)], { cwd: repo, input }).status;
  };
  const file = fileOf(repo, nth);
  tell({ hook_event_name: 'UserPromptSubmit', prompt: 'go' });
  tell({ hook_event_name: 'PostToolUse', ...readOf(file) });
  execFileSync(process.execPath, [guard, 'lock', 'try', file, '--agent', `claude-${session_id}`], {
    cwd: repo,
  });
  for (let at = 0; ; at++) {
    editOnce(tell, file, at);
    for (const hook_event_name of ['PreToolUse', 'PostToolUse']) tell({ hook_event_name, ...bashAt(at) });
  }
}

function readOf(file) {
  const content = fs.readFileSync(file, 'utf8');
  const numLines = content.split('\n').length;
  const shown = { filePath: file, content, numLines, startLine: 1, totalLines: numLines };
  const tool_response = { type: 'text', file: shown };
  return { tool_name: 'Read', tool_input: { file_path: file }, tool_response, tool_use_id: 'r' };
}

function editOnce(tell, file, at) {
  const originalFile = fs.readFileSync(file, 'utf8');
  const [old_string, new_string] = [originalFile.trimEnd(), `edit ${at}`];
  const tool_input = { file_path: file, old_string, new_string, replace_all: false };
  const call = { tool_name: 'Edit', tool_input, tool_use_id: `e${at}` };
  if (tell({ hook_event_name: 'PreToolUse', ...call }) !== 0) throw new Error('denied');
  fs.writeFileSync(file, `${new_string}\n`);
  const told = { filePath: file, oldString: old_string, newString: new_string, originalFile };
  tell({ hook_event_name: 'PostToolUse', ...call, tool_response: { ...told, structuredPatch: [] } });
  process.stdout.write('.');
}

const bashAt = (at) => ({
  ...{ tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: `b${at}` },
  tool_response: { stdout: '', stderr: '', interrupted: false, isImage: false },
});

if (process.argv[2]?.startsWith('{')) work(JSON.parse(process.argv[2]));
