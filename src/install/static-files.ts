/**
 * The files of the package that are made from the table in entries.ts: the project form for copying by hand, and the
 * plugin form. Only the events that every client knows: another name voids the whole file in 2.1.100 and older.
 */
import { permissionRules } from './permission-rules.ts';
import { PLUGIN_HOOK_COMMAND, PROJECT_HOOK_COMMAND } from './command.ts';
import { hookTable } from './entries.ts';

const DESCRIPTION = 'Asks guard before every write, and tells it what was read, written and finished.';

/** By path in the package. */
export const STATIC_FILES: Readonly<Record<string, object>> = {
  'settings.example.json': {
    hooks: hookTable(PROJECT_HOOK_COMMAND, 'known'),
    permissions: { allow: permissionRules('guard') },
  },
  'hooks/hooks.json': { description: DESCRIPTION, hooks: hookTable(PLUGIN_HOOK_COMMAND, 'known') },
};
