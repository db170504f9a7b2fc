// One agent: a client session that sends guard the events of client 2.1.330, field by field as recorded, and handles its
// answers as that client does. It writes only what was let through.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const EFFORT = { effort: { level: 'medium' } };

/** @param session makes the agent's id, `claude-<session>` */
export function openAgent(stage, session) {
  const id = `claude-${session}`;
  const base = {
    session_id: session,
    transcript_path: stage.path(`../home/${session}.jsonl`),
    cwd: stage.repo,
  };
  const turn = { prompt_id: `prompt-of-${session}`, permission_mode: 'default' };
  const own = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: session, CLAUDE_PID: String(process.pid) };
  let calls = 0;

  async function send(event) {
    const answers = await stage.hooks({ ...base, ...event }, { ...own, CLAUDE_PROJECT_DIR: stage.repo });
    return answers.map(answerOf);
  }

  /** Sends PreToolUse and returns the answer: a denial, or the input to continue with. */
  async function ask(tool_name, tool_input) {
    const call = { tool_name, tool_input, tool_use_id: `toolu_${session}_${(calls += 1)}` };
    const answers = await send({ ...turn, ...EFFORT, hook_event_name: 'PreToolUse', ...call });
    const denied = answers.find((answer) => answer.denial !== null);
    const input = answers.find((answer) => answer.input !== null)?.input ?? tool_input;
    return {
      call: { ...call, tool_input: input },
      denied: denied ?? null,
      ms: Math.max(0, ...answers.map(({ ms }) => ms)),
    };
  }

  async function report(call, tool_response, shown) {
    const { tool_name, tool_input, tool_use_id } = call;
    const event = { tool_name, tool_input, tool_response, tool_use_id, duration_ms: 1 };
    const answers = await send({ ...turn, ...EFFORT, hook_event_name: 'PostToolUse', ...event });
    await endBatch(call, shown);
    return answers;
  }

  const endBatch = (call, shown) =>
    send({
      ...turn,
      ...EFFORT,
      hook_event_name: 'PostToolBatch',
      tool_calls: [{ ...call, tool_response: shown }],
    });

  async function failed(call, error, is_interrupt) {
    await send({
      ...turn,
      ...EFFORT,
      hook_event_name: 'PostToolUseFailure',
      ...call,
      error,
      is_interrupt,
      duration_ms: 1,
    });
    await endBatch(call, error);
  }

  return {
    id,
    /** Starts the session with its first prompt. Returns what guard told the model. */
    async start(prompt) {
      const told = await send({ hook_event_name: 'SessionStart', source: 'startup' });
      await send({ ...turn, hook_event_name: 'UserPromptSubmit', prompt });
      return told.map(({ context }) => context).join('\n');
    },
    async read(name) {
      const { call } = await ask('Read', { file_path: stage.path(name) });
      const content = readFileSync(stage.path(name), 'utf8');
      const lines = content.split('\n').length;
      const file = { filePath: stage.path(name), content, numLines: lines, startLine: 1, totalLines: lines };
      const [answer] = await report(call, { type: 'text', file }, content);
      return { content, ms: answer.ms };
    },
    /** What the client would send if this agent edited the file now. */
    editEvent: (name, from, to) => ({
      ...base,
      ...turn,
      ...EFFORT,
      hook_event_name: 'PreToolUse',
      tool_name: 'Edit',
      tool_input: editOf(stage.path(name), from, to),
      tool_use_id: `toolu_${session}_next`,
    }),
    async edit(name, from, to) {
      const path = stage.path(name);
      const { call, denied, ms } = await ask('Edit', editOf(path, from, to));
      if (denied !== null) {
        await endBatch(call, `PreToolUse:Edit hook error: ${denied.reason}`);
        return { ...denied, ms };
      }
      const before = readFileSync(path, 'utf8');
      const after = before.replace(from, () => to);
      // As the client does it: a new file, renamed over the old one.
      writeFileSync(`${path}.tmp.${process.pid}`, after);
      renameSync(`${path}.tmp.${process.pid}`, path);
      const response = { filePath: path, oldString: from, newString: to, originalFile: before };
      const said = { structuredPatch: patchOf(before, after), userModified: false, replaceAll: false };
      await report(call, { ...response, ...said }, `The file ${path} has been updated successfully.`);
      return { denial: null, ms };
    },
    /** The Bash tool. `ended` resolves after the command has ended and the client has reported it. */
    async bash(command) {
      const { call } = await ask('Bash', { command, description: command.slice(0, 40) });
      const running = stage.start('/bin/sh', ['-c', call.tool_input.command], { more_env: own });
      return {
        command: call.tool_input.command,
        interrupt: running.interrupt,
        ended: running.ended.then((end) => tell(call, end)),
      };
    },
    stop: () =>
      send({
        ...turn,
        ...EFFORT,
        hook_event_name: 'Stop',
        stop_hook_active: false,
        last_assistant_message: 'done',
        background_tasks: [],
        session_crons: [],
      }),
  };

  async function tell(call, end) {
    const { exit, signal, stdout, stderr } = end;
    if (exit === 0) {
      const response = {
        stdout: stdout.trimEnd(),
        stderr,
        interrupted: false,
        isImage: false,
        noOutputExpected: false,
      };
      await report(call, response, stdout);
    } else await failed(call, `Exit code ${exit ?? signal}\n${stdout}${stderr}`, signal !== null);
    return end;
  }
}

/** The answer of one hook process. Exit code 2 denies; the JSON's reason is what the model gets to read. */
function answerOf({ exit, stdout, stderr, ms }) {
  if (exit !== 0 && exit !== 2) throw new Error(`a hook ended with ${exit}: ${stderr}`);
  if (exit === 0 && stderr !== '') throw new Error(`a hook failed: ${stderr}`);
  const output = stdout === '' ? {} : (JSON.parse(stdout).hookSpecificOutput ?? {});
  const reason = exit === 2 ? output.permissionDecisionReason : null;
  return {
    exit,
    ms,
    reason,
    denial: exit === 2 ? JSON.parse(reason) : null,
    input: output.updatedInput ?? null,
    context: output.additionalContext ?? '',
  };
}

const editOf = (file_path, old_string, new_string) => ({
  file_path,
  old_string,
  new_string,
  replace_all: false,
});

/** One hunk over the whole file, as the client shows small files. */
function patchOf(before, after) {
  const [old, now] = [before, after].map((text) => text.replace(/\n$/, '').split('\n'));
  const lines = old.flatMap((line, at) => (line === now[at] ? [` ${line}`] : [`-${line}`, `+${now[at]}`]));
  return [{ oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines }];
}
