// The cost of a first edit among many checkouts as the client starts its hook (a shell running the line from the settings): the
// PreToolUse Edit of a 20 KB file in a repository of its own, and in one with 50 linked worktrees in which no one touched the
// file. Every round has a new session and runs both, in turn.
// Run: node test/bench/neighbours-hook.mjs   (ROUNDS=60, CHECKOUTS=51)
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const guard = path.join(import.meta.dirname, '../../bin/guard.cjs');
const rounds = Number(process.env.ROUNDS ?? 60);
const checkouts = Number(process.env.CHECKOUTS ?? 51);
const base = fs.mkdtempSync(path.join(os.tmpdir(), 'guard-neighbours-hook-'));
const home = path.join(base, 'home');
const env = { PATH: process.env.PATH, HOME: home };

function repository(count) {
  const dir = path.join(base, `r${count}`);
  const git = (...args) =>
    execFileSync('git', ['-C', dir, '-c', 'user.name=x', '-c', 'user.email=a@b', ...args], {
      stdio: 'ignore',
    });
  fs.mkdirSync(dir);
  git('init', '-q');
  fs.writeFileSync(path.join(dir, 'a.txt'), 'a line of it\n'.repeat(1_540));
  git('add', '.');
  git('commit', '-q', '-m', 'x');
  for (let nth = 1; nth < count; nth++) git('worktree', 'add', '-q', `${dir}-w${nth}`);
  execFileSync(process.execPath, [guard, 'init', '--preset', 'auto', '--scope', 'local'], {
    ...{ cwd: dir, env, stdio: 'ignore' },
  });
  const settings = JSON.parse(fs.readFileSync(path.join(dir, '.claude/settings.local.json'), 'utf8'));
  return { dir, line: settings.hooks.PreToolUse[0].hooks[0].command, taken: [] };
}

function send({ dir, line }, fields) {
  const input = JSON.stringify({ cwd: dir, transcript_path: path.join(home, 't'), ...fields });
  const began = performance.now();
  const { status, stdout } = spawnSync('/bin/sh', ['-c', line], {
    ...{ cwd: dir, env: { ...env, CLAUDECODE: '1', CLAUDE_PROJECT_DIR: dir }, input, encoding: 'utf8' },
  });
  if (status !== 0 || stdout !== '') throw new Error(`exit ${status}: ${stdout}`);
  return performance.now() - began;
}

fs.mkdirSync(home);
try {
  const repositories = [repository(1), repository(checkouts)];
  for (let round = -3; round < rounds; round++)
    for (const one of round % 2 === 0 ? repositories : repositories.toReversed()) {
      const file_path = path.join(one.dir, 'a.txt');
      const session_id = `s${round}`;
      const tool_input = { file_path, old_string: 'a', new_string: 'b', replace_all: false };
      const call = { hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_use_id: 't', tool_input };
      const ms = send(one, { session_id, ...call });
      if (round >= 0) one.taken.push(ms);
      send(one, { session_id, hook_event_name: 'SessionEnd', reason: 'exit' });
    }
  const [own, many] = repositories.map(({ taken }) => taken.toSorted((a, b) => a - b));
  const at = (values, share) => values[Math.floor(values.length * share)];
  const row = (name, share) =>
    `${name}: 1 checkout ${at(own, share).toFixed(1)} ms, ${checkouts} ${at(many, share).toFixed(1)} ms`;
  console.log(`Node ${process.version}, ${rounds} rounds, load ${os.loadavg()[0].toFixed(1)}`);
  console.log([row('median', 0.5), row('least', 0)].join('\n'));
} finally {
  fs.rmSync(base, { recursive: true, force: true });
}
