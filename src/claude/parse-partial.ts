// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * What is known about an event that cannot be parsed because it is too large, cut off or invalid. The client writes the
 * fields that identify the event before the tool's input, and the call's id after its result (all versions recorded).
 * Text chosen by an agent is inside JSON strings, where quotes are escaped, so it cannot pass for a field before it.
 */
import { attempt } from '../core/attempt.ts';
import type { HookInput } from './hook-input.ts';

/** How much of the beginning is searched. */
const HEAD_CHARS = 65_536;

const NAME = {
  event: /"hook_?[eE]vent_?[nN]ame"\s*:\s*"(\w{1,40})"/,
  tool: /"tool_?[nN]ame"\s*:\s*"([^"\\]{1,200})"/,
  session: /"session_?[iI]d"\s*:\s*"([^"\\]{1,200})"/,
  agent: /"agent_?[iI]d"\s*:\s*"([^"\\]{1,200})"/,
  agent_type: /"agent_?[tT]ype"\s*:\s*"([^"\\]{1,200})"/,
} as const;
const CALL = /"tool_?[uU]se_?[iI]d"\s*:\s*"([^"\\]{1,200})"/g;
const TEXT = '"((?:[^"\\\\]|\\\\.){1,8192})"';
const CWD = new RegExp(`"cwd"\\s*:\\s*${TEXT}`);
const FILE = new RegExp(`"(?:file_?[pP]ath|notebook_?[pP]ath)"\\s*:\\s*${TEXT}`);
const NOTICE = /"prompt"\s*:\s*"(<task-notification>)/;

/** Null if not even the name of the event can be found. */
export function eventNameIn(text: string): string | null {
  return NAME.event.exec(text.slice(0, HEAD_CHARS))?.[1] ?? null;
}

export function peekTool(text: string): string | null {
  return NAME.tool.exec(text.slice(0, HEAD_CHARS))?.[1] ?? null;
}

/** The event as far as it is known, without its result. `tail` is the end of its text. */
export function parsePartial(text: string, tail: string, fallback_cwd: string): HookInput | null {
  const head = text.slice(0, HEAD_CHARS);
  const event = eventNameIn(text);
  if (event === null) return null;
  const found = (pattern: RegExp): string => unescaped(pattern.exec(head)?.[1] ?? '');
  const file_path = found(FILE);
  const cwd = found(CWD) || fallback_cwd;
  return {
    host: 'claude',
    event,
    session: found(NAME.session),
    cwd,
    project: cwd,
    agent: found(NAME.agent) || null,
    agent_type: found(NAME.agent_type),
    tool: found(NAME.tool),
    tool_use_id: [...tail.matchAll(CALL)].at(-1)?.[1] ?? '',
    tool_input: file_path === '' ? {} : { file_path, notebook_path: file_path },
    tool_response: undefined,
    raw: { prompt: found(NOTICE) },
  };
}

const unescaped = (text: string): string => attempt(() => JSON.parse(`"${text}"`) as string, '');
