/**
 * The files of the package that are generated from the table in entries.ts: the project form for copying by hand, and the
 * plugin form. An event that a client does not know voids the whole file in 2.1.100 and older. So the first two files name
 * only what every client knows, and the plugin has a second file for the rest: old clients drop only that one.
 */
import { permissionRules } from './permission-rules.ts';
import { PLUGIN_HOOK_COMMAND, PROJECT_HOOK_COMMAND } from './command.ts';
import { hookTable } from './entries.ts';

const DESCRIPTION = 'Asks guard before every write, and tells it what was read, written and finished.';

const RECENT = 'The same for the events that only Claude Code 2.1.200 and newer knows.';

const events = hookTable(PLUGIN_HOOK_COMMAND, 'all');
const known = hookTable(PLUGIN_HOOK_COMMAND, 'known');
const recent = Object.fromEntries(Object.entries(events).filter(([event]) => known[event] === undefined));

/** By path in the package. */
export const STATIC_FILES: Readonly<Record<string, object>> = {
  'settings.example.json': {
    hooks: hookTable(PROJECT_HOOK_COMMAND, 'known'),
    permissions: { allow: permissionRules('guard') },
  },
  'hooks/hooks.json': { description: DESCRIPTION, hooks: known },
  'hooks/recent.json': { description: RECENT, hooks: recent },
};
