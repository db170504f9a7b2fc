// A hook's event and environment as the client (2.1.330) sends them. Without transcript_path guard checks whether the event comes
// from another client, and without CLAUDE_CODE_SESSION_ID its answers also tell the agent how to name itself; both cost time.
import path from 'node:path';

export const transcriptsOf = ({ repo, home }) =>
  path.join(home, '.claude/projects', repo.replace(/[^A-Za-z0-9]/g, '-'));

/** @param at `repo` and `home` */
export const eventText = (at, session_id, fields) =>
  `${JSON.stringify({
    session_id,
    transcript_path: path.join(transcriptsOf(at), `${session_id}.jsonl`),
    cwd: at.repo,
    prompt_id: '3645b4df-6901-4f2e-8cbf-5c47f9a021b8',
    permission_mode: 'default',
    ...fields,
  })}\n`;

/** The environment of a person at a terminal. */
export const plainEnv = ({ home }) => ({
  PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
  HOME: home,
});

/** The environment of a hook of this session. */
export const clientEnv = ({ repo, home }, session_id) => ({
  ...plainEnv({ home }),
  CLAUDECODE: '1',
  CLAUDE_CODE_ENTRYPOINT: 'cli',
  CLAUDE_CODE_SESSION_ID: session_id,
  CLAUDE_PID: String(process.pid),
  CLAUDE_PROJECT_DIR: repo,
});
