/**
 * What the client's own schema refuses in `hooks`: an entry that is refused takes others with it, silently in `-p`
 * (measured: in 2.1.330 whatever stands beside it in PreToolUse, in older clients the whole file).
 */
import { isObject } from './json-object.ts';
import type { JsonObject } from './json-object.ts';

export interface ShapeFault {
  readonly at: string;
  readonly reason: string;
}

const TYPES = ['command', 'prompt', 'agent', 'http', 'mcp_tool'];

/** All event names up to 2.1.330. */
export const EVENTS: readonly string[] = [
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Notification', 'UserPromptSubmit'],
  ...[
    'UserPromptExpansion',
    'SessionStart',
    'SessionEnd',
    'Stop',
    'StopFailure',
    'SubagentStart',
    'SubagentStop',
  ],
  ...[
    'PreCompact',
    'PostCompact',
    'PreModelSwitch',
    'PostModelSwitch',
    'PermissionRequest',
    'PermissionDenied',
  ],
  ...[
    'Setup',
    'TeammateIdle',
    'TaskCreated',
    'TaskCompleted',
    'Elicitation',
    'ElicitationResult',
    'ConfigChange',
  ],
  ...[
    'WorktreeCreate',
    'WorktreeRemove',
    'InstructionsLoaded',
    'CwdChanged',
    'FileChanged',
    'DirectoryAdded',
  ],
  'MessageDisplay',
];

/** The nine that every client knows; another name voids the whole file in 2.1.100 and older. */
export const OLD_EVENTS: readonly string[] = [
  ...['PreToolUse', 'PostToolUse', 'SessionStart', 'UserPromptSubmit', 'Stop', 'SubagentStop', 'SessionEnd'],
  ...['PreCompact', 'Notification'],
];

/** @param known events of the client in use */
export function shapeFaults(settings: JsonObject, known: readonly string[]): readonly ShapeFault[] {
  const hooks = isObject(settings['hooks']) ? settings['hooks'] : {};
  return Object.entries(hooks).flatMap(([event, groups]) => {
    const name = known.includes(event)
      ? []
      : [{ at: `hooks.${event}`, reason: 'this client does not know the event' }];
    return [...name, ...listOf(groups).flatMap((group, nth) => groupFaults(group, `hooks.${event}[${nth}]`))];
  });
}

function groupFaults(group: unknown, at: string): readonly ShapeFault[] {
  if (!isObject(group)) return [{ at, reason: 'it is not an object' }];
  const matcher = group['matcher'];
  const hooks = group['hooks'];
  return [
    ...fault(
      matcher !== undefined && typeof matcher !== 'string',
      `${at}.matcher`,
      'the matcher is not a string',
    ),
    ...fault(!Array.isArray(hooks), `${at}.hooks`, 'there is no list of hooks'),
    ...listOf(hooks).flatMap((hook, nth) => hookFaults(hook, `${at}.hooks[${nth}]`)),
  ];
}

function hookFaults(hook: unknown, at: string): readonly ShapeFault[] {
  if (!isObject(hook)) return [{ at, reason: 'it is not an object' }];
  const { type, command, timeout, onFailure } = hook;
  return [
    ...fault(
      typeof type !== 'string' || !TYPES.includes(type),
      `${at}.type`,
      'the type is not one the client knows',
    ),
    ...fault(type === 'command' && typeof command !== 'string', `${at}.command`, 'there is no command'),
    ...fault(
      timeout !== undefined && !(typeof timeout === 'number' && timeout > 0),
      `${at}.timeout`,
      'the timeout is not a positive number',
    ),
    ...fault(
      onFailure !== undefined && onFailure !== 'block' && onFailure !== 'continue',
      `${at}.onFailure`,
      'onFailure is neither "block" nor "continue"',
    ),
  ];
}

const fault = (is: boolean, at: string, reason: string): readonly ShapeFault[] =>
  is ? [{ at, reason }] : [];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
