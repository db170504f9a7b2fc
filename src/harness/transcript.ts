/** The client's own transcript of a session, which has everything said after its output was no longer read. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import type { DraftState } from '../core/drafts.ts';
import { asObject, asText, parsedObject } from '../core/json-object.ts';
import { projectsDir } from '../install/scopes.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { fileLines } from './agent-files.ts';
import type { Progress } from './progress.ts';
import { advance } from './stream.ts';

/** `at` and what followed it; just `at` if there is no transcript, or it cannot be read. */
export function withTranscript(
  at: Progress,
  draft: Pick<DraftState, 'session' | 'started_wall_ms'>,
  env: Environment,
): Progress {
  const projects = projectsDir(env);
  const dirs = attempt(() => readdirSync(projects), []);
  return dirs.reduce(
    (now, dir) => attempt(() => readOn(now, join(projects, dir, `${draft.session}.jsonl`), draft), now),
    at,
  );
}

/** Skips what the log also has, up to its newest message. */
function readOn(
  at: Progress,
  file: string,
  { started_wall_ms }: Pick<DraftState, 'started_wall_ms'>,
): Progress {
  const since = [...fileLines(file)].filter((line) => isOfRun(line, started_wall_ms));
  const known = since.findLastIndex((line) => messageOf(line) === at.message);
  return since.slice(known + 1).reduce(advance, at);
}

const messageOf = (line: string): string => asText(asObject(parsedObject(line)['message'])['id']);

/** Whether the agent itself said it in this run: the session may be older. */
function isOfRun(line: string, started_wall_ms: number): boolean {
  const { type, isSidechain, timestamp } = parsedObject(line);
  const is_said = (type === 'assistant' || type === 'user') && isSidechain !== true;
  return is_said && Date.parse(asText(timestamp)) >= started_wall_ms;
}
