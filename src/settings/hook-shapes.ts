/**
 * What the client requires below `hooks`, measured on 2.1.200, 2.1.300 and 2.1.330. A fault in `PreToolUse` or
 * `PermissionRequest` voids all hooks of the file; in clients before 2.1.300 a fault in any event does. Elsewhere,
 * newer clients leave out only the one entry.
 */
import { asList, asObject, isObject } from '../core/json-object.ts';
import { each, faultsOf, type Shape, type ShapeFault, type ShapeFields } from './shape.ts';

/** Any positive number. */
const SECONDS: Shape = { number: [Number.MIN_VALUE, Infinity] };
const ON_FAILURE: Shape = { one_of: 'continue block' };
const SHARED: ShapeFields = { if: 'string', timeout: SECONDS, statusMessage: 'string', once: 'boolean' };

const KINDS: Readonly<Record<string, Extract<Shape, { fields: ShapeFields }>>> = {
  command: {
    fields: {
      ...SHARED,
      ...each('string', 'command rewakeMessage rewakeSummary'),
      ...each('boolean', 'async asyncRewake holdsTools'),
      args: { list: 'string' },
      shell: { one_of: 'bash powershell' },
      onFailure: ON_FAILURE,
    },
    needs: 'command',
  },
  prompt: {
    fields: { ...SHARED, prompt: 'string', model: 'string', continueOnBlock: 'boolean' },
    needs: 'prompt',
  },
  agent: { fields: { ...SHARED, prompt: 'string', model: 'string' }, needs: 'prompt' },
  http: {
    fields: {
      ...SHARED,
      url: 'url',
      onFailure: ON_FAILURE,
      headers: { map: 'string' },
      allowedEnvVars: { list: 'string' },
    },
    needs: 'url',
  },
  mcp_tool: {
    fields: { ...SHARED, server: 'string', tool: 'string', input: { map: 'any' } },
    needs: 'server tool',
  },
};

/** Every event name up to 2.1.330. */
const EVENTS =
  'PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion ' +
  'SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch ' +
  'PostModelSwitch PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ' +
  'ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged ' +
  'DirectoryAdded MessageDisplay';

/** The nine that every client knows; another name voids the whole file in 2.1.100 and older. */
const OLD_EVENTS =
  'PreToolUse PostToolUse SessionStart UserPromptSubmit Stop SubagentStop SessionEnd PreCompact Notification';

export const knownEvents = (which: 'all' | 'old'): readonly string[] =>
  (which === 'all' ? EVENTS : OLD_EVENTS).split(' ');

/** What a client does with hooks that it cannot read. */
export interface HookRules {
  /** An unknown event name voids the file (2.1.100 and older). */
  readonly refuses_events: boolean;
  /** A fault in any event voids the file (before 2.1.300), not only in those that guard permissions. */
  readonly refuses_everywhere: boolean;
}

const DECISIVE: readonly string[] = ['PreToolUse', 'PermissionRequest'];

/** Faults below `hooks` that make the client drop the whole file, or all of its hooks. */
export function hookFaults(hooks: unknown, rules: HookRules): readonly ShapeFault[] {
  if (hooks === undefined) return [];
  if (!isObject(hooks)) return faultsOf(hooks, { map: 'any' }, 'hooks');
  return Object.entries(hooks).flatMap(([event, groups]) => eventFaults(event, groups, rules));
}

function eventFaults(event: string, groups: unknown, rules: HookRules): readonly ShapeFault[] {
  const at = `hooks.${event}`;
  const is_known = knownEvents('all').includes(event);
  if (rules.refuses_events && !knownEvents('old').includes(event))
    return [{ at, reason: 'this client does not know the event' }];
  if (!is_known || !(rules.refuses_everywhere || DECISIVE.includes(event))) return [];
  // Measured on 2.1.200: an event that is not a list is left out, and nothing else.
  if (!Array.isArray(groups) && !DECISIVE.includes(event)) return [];
  return groupsFaults(groups, at);
}

/** Every entry of an event that some client refuses, whatever the consequence there. */
export function groupsFaults(groups: unknown, at: string): readonly ShapeFault[] {
  if (!Array.isArray(groups)) return faultsOf(groups, { list: 'any' }, at);
  return groups.flatMap((group: unknown, nth) => [
    ...faultsOf(group, GROUP, `${at}[${nth}]`),
    ...entriesOf(group).flatMap((hook, place) => entryFaults(hook, `${at}[${nth}].hooks[${place}]`)),
  ]);
}

const GROUP: Shape = { fields: { matcher: 'string', hooks: { list: 'any' } }, needs: 'hooks' };

const kindOf = (type: unknown) =>
  typeof type === 'string' && Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;

function entryFaults(hook: unknown, at: string): readonly ShapeFault[] {
  const { type } = asObject(hook);
  const kind = kindOf(type);
  if (kind !== undefined) return faultsOf(hook, kind, at);
  const one_of = Object.keys(KINDS).join(' ');
  return faultsOf(hook, { fields: { type: { one_of } }, needs: 'type' }, at);
}

const entriesOf = (group: unknown): readonly unknown[] => asList(asObject(group)['hooks']);

/** Keys of hook entries and groups that guard does not know: newer than guard, or a typo. */
export function newHookKeys(hooks: unknown): readonly string[] {
  return Object.entries(asObject(hooks)).flatMap(([event, groups]) => {
    if (!knownEvents('all').includes(event)) return [`hooks.${event}`];
    return asList(groups)
      .flatMap(entriesOf)
      .flatMap((hook) => newKeysOf(hook, `hooks.${event}`));
  });
}

function newKeysOf(hook: unknown, at: string): readonly string[] {
  if (!isObject(hook)) return [];
  const fields = kindOf(hook['type'])?.fields;
  if (fields === undefined) return [];
  return Object.keys(hook)
    .filter((key) => key !== 'type' && !Object.hasOwn(fields, key) && !MORE.includes(key))
    .map((key) => `${at}[].${key}`);
}

/** Accepted by the client with any value. */
const MORE: readonly string[] = ['onFailure', 'cloud'];
