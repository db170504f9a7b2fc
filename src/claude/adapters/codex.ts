/**
 * Codex CLI (0.169.0): Claude's events, with `apply_patch` for every write of a file and the shell for everything else. It reads
 * files only through the shell, and sends no end event for a patch that failed or that it extracted from a shell command.
 */
import { asFields, asText, type Fields } from '../fields.ts';
import type { Adapter } from './adapter.ts';
import { parsePatch, patchTargets } from './patch.ts';
import { inHostsWords, contextOnly } from './words.ts';

/** The model is shown the beginning and the end of an output. Codex measures it in tokens, the smallest of which is one character. */
const SHOWN_CHARS = 10_000;

export const codex: Adapter = {
  unreported: true,
  project: ({ cwd }) => cwd,
  terms({ raw }) {
    const tool = asText(raw['tool_name']);
    const command = asText(asFields(raw['tool_input'])['command']);
    const response = raw['tool_response'];
    const found = tool === 'Bash' ? patchIn(command) : null;
    return {
      ...raw,
      hook_event_name: raw['hook_event_name'] === 'Interrupt' ? 'StopFailure' : raw['hook_event_name'],
      ...(tool === 'Bash' && typeof response === 'string'
        ? { tool_response: { stdout: shown(response) } }
        : {}),
      ...(found === null ? {} : asPatch(found)),
    };
  },
  paths: ({ tool_name, tool_input, tool_response }) => {
    if (tool_name !== PATCH || isFailed(tool_response)) return undefined;
    return patchTargets(parsePatch(asText(asFields(tool_input)['command'])) ?? []);
  },
  answer: (output) =>
    inHostsWords(
      output,
      (path) => `Show ${path} with the shell, at most ${SHOWN_CHARS} characters at a time`,
      contextOnly(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'SubagentStart']),
    ),
};

const PATCH = 'apply_patch';

const isFailed = (response: unknown): boolean => /^Exit code: [1-9]/.test(asText(response));

const shown = (text: string): string => (text.length > SHOWN_CHARS ? '' : text);

/**
 * A command that consists only of a patch, which Codex extracts and applies itself; after a `cd`, below that directory. Text after the
 * end of the patch is another command, and text that a shell expands is unknown: neither matches.
 */
const LINE =
  /^\s*(?:cd\s+("[^"$`\\]*"|'[^']*'|[\w@%+=:,./-]+)\s*&&\s*)?apply_?patch\s+(?:<<-?\s*(['"]?)(\w+)\2\s*\n((?:(?![ \t]*\3[ \t\r]*\n)[^\n]*\n)*)[ \t]*\3\s*|"([^"$`\\]*)"\s*|'([^']*)'\s*)$/;

interface Found {
  readonly dir: string;
  readonly patch: string;
}

function patchIn(command: string): Found | null {
  const [, dir = '', , , document, double, single] = LINE.exec(command) ?? [];
  const patch = document ?? double ?? single;
  return patch === undefined ? null : { dir: dir.replace(/^["']|["']$/g, ''), patch };
}

function asPatch({ dir, patch }: Found): Fields {
  const below = (path: string): string => (dir === '' || path.startsWith('/') ? path : `${dir}/${path}`);
  const moved = patch.replace(
    /^(\s*\*\*\* (?:Add File|Delete File|Update File|Move to): )(.+)$/gm,
    (_, head: string, path: string) => `${head}${below(path.trim())}`,
  );
  return { tool_name: PATCH, tool_input: { command: moved } };
}
