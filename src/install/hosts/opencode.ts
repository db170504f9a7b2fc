/** opencode: a plugin that runs in the client's own process and starts a hook for each event. */
import { LAUNCHER } from '../command.ts';
import { type HostRow, TIMEOUT_S } from './host.ts';

/** Depends only on what the client has: a plugin that cannot be loaded is skipped, and then nothing is guarded. */
const PLUGIN = `// Runs guard's hook for opencode. Made by "guard init --host opencode"; commit it with ${LAUNCHER}.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WRITES = /^(?:edit|write|multiedit|patch|apply_patch)$/;
const TOLD = /^(?:read|bash)$/;
const EVENTS = /^session\\.(?:created|idle|deleted)$/;

/** By session of a subagent, the session at its root. */
const roots = new Map();
/** What is still to be said to a session. */
const notes = new Map();

const said = (text) => {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
};

const ask = (directory, session, name, told) =>
  new Promise((resolve) => {
    const event = { pid: process.pid, directory, root: roots.get(session) ?? session, ...told };
    const child = spawn('node', [ROOT + '${LAUNCHER}', '--host', 'opencode', name], {
      cwd: directory,
      env: { ...process.env, NODE_EXTRA_CA_CERTS: '' },
      timeout: ${TIMEOUT_S * 1000},
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    child.stdin.on('error', () => {});
    child.on('error', () => resolve({ code: 1, err: '' }));
    child.on('close', (code) => resolve({ code: code ?? 1, err: err.trim(), ...said(out) }));
    child.stdin.end(JSON.stringify(event));
  });

const keep = (session, { note }) => {
  if (note) notes.set(session, [notes.get(session), note].filter(Boolean).join('\\n\\n'));
};

export const Guard = async ({ directory }) => ({
  event: async ({ event }) => {
    if (!EVENTS.test(event.type)) return;
    const { sessionID, info } = event.properties ?? {};
    const session = sessionID ?? info?.id;
    if (info?.parentID) roots.set(session, roots.get(info.parentID) ?? info.parentID);
    keep(session, await ask(directory, session, 'event:' + event.type, { event }));
  },
  'chat.message': async (input) => {
    keep(input.sessionID, await ask(directory, input.sessionID, 'chat.message', { input }));
  },
  'tool.execute.before': async (input, output) => {
    const isWrite = WRITES.test(input.tool);
    if (!isWrite && input.tool !== 'bash') return;
    const told = await ask(directory, input.sessionID, 'tool.execute.before', { input, output: { args: output.args } });
    if (told.code === 2 || (told.code !== 0 && isWrite))
      throw new Error(told.err || 'guard did not start: run guard doctor');
    if (told.args) Object.assign(output.args, told.args);
    keep(input.sessionID, told);
  },
  'tool.execute.after': async (input, output) => {
    if (!WRITES.test(input.tool) && !TOLD.test(input.tool)) return;
    const { output: text, metadata } = output;
    keep(input.sessionID, await ask(directory, input.sessionID, 'tool.execute.after', { input, output: { output: text, metadata } }));
    const note = notes.get(input.sessionID);
    if (note) output.output = String(text ?? '') + '\\n\\n' + note;
    notes.delete(input.sessionID);
  },
  'shell.env': async ({ sessionID }, output) => {
    if (!sessionID) return;
    const root = roots.get(sessionID) ?? sessionID;
    output.env.GUARD_AGENT_ID = 'opencode-' + root + (root === sessionID ? '' : '/' + sessionID);
  },
});
`;

export const opencodePlugin: HostRow = {
  label: 'opencode',
  file: '.opencode/plugin/guard.js',
  root: '.',
  content: () => ({ whole: PLUGIN }),
  notes: () => ['opencode silently skips a plugin that it cannot load: then nothing is guarded.'],
};
