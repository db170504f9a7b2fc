/** Whether a settings file of the client still guards, judged from its text. */
import fs from 'node:fs';
import { isGuardHookCommand } from '../install/command.ts';
import { EVENTS, shapeFaults } from '../install/settings-shape.ts';
import { asFields, asText } from './input.ts';
import type { Fields, HookInput } from './input.ts';
import { TELLING_ENV } from './telling-env.ts';

/** Why an agent's change unhooks or disables guard; null where it does not. `before` is null for a new file. */
export function whyUnhooked(before: string | null, after: string): string | null {
  const voided = whyVoid(after);
  if (voided !== null) return voided;
  const then = before === null ? {} : (parse(before) ?? {});
  const now = parse(after) ?? {};
  const env = changedEnv(asFields(then['env']), asFields(now['env']));
  if (env !== undefined) return `env.${env} would reach guard's own processes.`;
  const left = guardHooks(now);
  const gone = guardHooks(then).find((hook) => !left.includes(hook));
  if (gone !== undefined) return `guard's hook for ${gone.split('\n', 1)[0] ?? ''} would be gone.`;
  if (isPluginOff(now) && !isPluginOff(then)) return 'the plugin that guards would be switched off.';
  const faults = faultsOf(then);
  const fault = faultsOf(now).find((one) => !faults.includes(one));
  return fault === undefined ? null : `the client drops hooks beside one that it cannot read (${fault}).`;
}

const faultsOf = (settings: Fields): string[] =>
  shapeFaults(settings, EVENTS).map(({ at, reason }) => `${at}: ${reason}`);

/** `guard@<marketplace>`, by this file; a later file wins over an earlier one. */
const isPluginOff = (settings: Fields): boolean =>
  Object.entries(asFields(settings['enabledPlugins'])).some(
    ([id, enabled]) => /^guard(?:@|$)/.test(id) && enabled !== true,
  );

/** Why the client would run no hooks of anybody with this file; null where it runs them. */
export function whyVoid(text: string): string | null {
  const settings = parse(text);
  if (settings === null) return 'the client ignores a settings file that is not valid JSON, hooks included.';
  return settings['disableAllHooks'] === true ? 'disableAllHooks switches guard off.' : null;
}

/** True when the file hooks guard before the tools that every client writes with. */
export function guardsWrites(text: string): boolean {
  const before = guardHooks(parse(text) ?? {}).filter((hook) => hook.startsWith('PreToolUse\n'));
  return ['Edit', 'Write'].every((tool) => before.some((hook) => matches(hook.split('\n')[1] ?? '', tool)));
}

/** The client's matcher: exact names, `A|B`, everything where empty or `*`, otherwise a regular expression. */
function matches(matcher: string, tool: string): boolean {
  if (matcher === '' || matcher === '*') return true;
  if (/^[\w|]+$/.test(matcher)) return matcher.split('|').includes(tool);
  try {
    return new RegExp(matcher).test(tool);
  } catch {
    return false;
  }
}

function parse(text: string): Fields | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}

function changedEnv(then: Fields, now: Fields): string | undefined {
  const names = [...Object.keys(then), ...Object.keys(now)];
  return names.find((name) => TELLING_ENV.test(name) && now[name] !== then[name]);
}

/** Each of guard's hook entries as one line of text per property: event, matcher, the entry. */
function guardHooks(settings: Fields): string[] {
  return Object.entries(asFields(settings['hooks'])).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group) =>
      listOf(group['hooks'])
        .filter((hook) => isGuardHookCommand(asText(hook['command'])))
        .map((hook) => [event, asText(group['matcher']), JSON.stringify(hook)].join('\n')),
    ),
  );
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value : []).map(asFields);

/** A settings file may be written as long as guard stays hooked; a write whose result is not known may not. */
export function whyNotLeft(input: HookInput, file: string): string | null {
  const before = readOrNull(file);
  // As the client compares: with LF for CR LF.
  const after = resultOf(input.tool, input.tool_input, (before ?? '').replaceAll('\r\n', '\n'));
  return after === null ? 'guard cannot tell what would be left of its hooks.' : whyUnhooked(before, after);
}

function resultOf(tool: string, call: Readonly<Record<string, unknown>>, before: string): string | null {
  if (tool === 'Write' || tool === 'create_file')
    return typeof call['content'] === 'string' ? call['content'] : null;
  if (tool !== 'Edit') return null;
  const old = asText(call['old_string']);
  const replacement = asText(call['new_string']);
  if (old === '') return before === '' ? replacement : null;
  // What guard does not find the client may find by other rules.
  if (!before.includes(old)) return null;
  // A function, so that `$&` in the new text stays what it is.
  return call['replace_all'] === true
    ? before.replaceAll(old, () => replacement)
    : before.replace(old, () => replacement);
}

function readOrNull(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
