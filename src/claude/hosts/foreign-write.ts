// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * A write of a client without an adapter: its call cannot be parsed, so it cannot be checked. If locks are required, it
 * is denied with that reason; otherwise the agent is informed once. It is never silent, which would look like approval.
 */
import { parsedObject } from '../../core/json-object.ts';
import { preBash } from '../events/bash.ts';
import { tellPerson } from '../events/tell-person.ts';
import { guardError } from '../../core/messages.ts';
import { readOff } from '../../install/off.ts';
import { isLocated, locate } from '../events/targets.ts';
import { asText } from '../fields.ts';
import type { HookInput } from '../hook-input.ts';
import { complain, denyFor, type HookOutput, SILENT } from '../output.ts';
import type { Hook } from '../context.ts';

const CALLED: Readonly<Record<HookInput['host'], string>> = {
  claude: 'this client',
  copilot: "Copilot CLI's own hook file",
  codex: 'Codex',
  gemini: 'Gemini CLI',
  qwen: 'Qwen Code',
  opencode: 'opencode',
  vscode: 'VS Code',
};

export function foreignWrite(hook: Hook): HookOutput {
  const told = refusedOrTold(hook);
  if (told.exit !== 0 || hook.input.tool !== 'Bash') return told;
  // The rest of its line is a command like any other.
  const judged = preBash(hook);
  if (judged.exit !== 0) return judged;
  const { systemMessage } = parsedObject(told.stdout);
  return tellPerson({ ...judged, stderr: `${told.stderr}${judged.stderr}` }, asText(systemMessage));
}

function refusedOrTold(hook: Hook): HookOutput {
  const { home, input, now } = hook;
  if (!home.repo.initialised || readOff(home.state_dir, now) !== null) return SILENT;
  const [path = '', ...more] = given(input);
  const files = locate(
    hook,
    [path, ...more].filter((one) => one !== ''),
  );
  // All its files are known, and none is in a repository that is set up.
  if (files.length > 0 && files.every((file) => isLocated(file) && !file.space.repo.initialised))
    return SILENT;
  const message = `${CALLED[input.host]} called ${input.tool}, and this hook cannot read that call.`;
  if (home.facts().policy.enforcement !== 'required') return notice(hook, message);
  const { guard_command: guard } = home.facts();
  const own = OWN_HOOKS.includes(input.host)
    ? ` A person can set this client up: ${guard} init --host ${input.host}.`
    : '';
  const hint = `Make this change with Claude Code, or with a client that is set up for guard.${own}`;
  const at = { abs: path, path, guard };
  const output = denyFor([guardError(at, { code: 'GUARD_ERR_HOST', message, hint })]);
  // It parses JSON on standard error as an answer, and takes one without a decision as consent.
  return input.host === 'qwen' ? { ...output, stderr: `guard: ${output.stderr}` } : output;
}

const OWN_HOOKS: readonly string[] = ['codex', 'gemini', 'qwen', 'copilot', 'opencode'];

/** A shell call that applies a patch, through Codex itself or through its program of that name on PATH. */
export function isPatch({ host, tool_input }: HookInput): boolean {
  const command = asText(tool_input['command']);
  return host !== 'claude' && command.includes('*** Begin Patch') && APPLIES.test(command);
}

/** Matches a call, not a mere mention. */
const APPLIES =
  /(?:^|[\n;&|({]|-\w*c[ \t]+["'])[ \t]*(?:(?:\w+=\S*|sudo|env|exec|command|then|do)[ \t]+)*apply_?patch\b/;

const NAMES = ['file_path', 'filePath', 'path', 'notebook_path'];
const PATCHED = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;

function given({ tool_input }: HookInput): string[] {
  const named = NAMES.map((name) => asText(tool_input[name]));
  const patch = asText(tool_input['command'] ?? tool_input['input'] ?? tool_input['patchText']);
  return [...named, ...[...patch.matchAll(PATCHED)].map(([, path = '']) => path)].filter(
    (path) => path !== '',
  );
}

/** Stored next to the agent's baselines, and removed with them. */
const TOLD = '//told/no-adapter';

function notice({ home }: Hook, message: string): HookOutput {
  const is_told = home.baselines.takeText(TOLD) !== null;
  home.baselines.keepText(TOLD, 'told');
  if (is_told) return SILENT;
  const said = `${message} Its writes here are not guarded.`;
  return tellPerson(complain(said), `guard: ${said}`);
}
