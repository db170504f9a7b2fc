import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checking, ok, warn } from '../check.ts';
import { enabledPlugins, type Plugin } from '../plugins.ts';

const MAX_FILES = 500;
const MAX_BYTES = 1_000_000;

/** Events that a mod can answer itself, in which case the hooks of the settings are never run. */
const ANSWERS =
  /['"`](?:classic\.(?:PreToolUse|PostToolUse|PostToolUseFailure|\*)|tool\.(?:call|check|\*)|\*)['"`]/;

/** In-process plugins (2.1.287 and newer) run before the hooks of the settings. Scanning them is a hint, not a proof. */
export const mods = checking('mods', ({ settings, env }) => {
  const found = enabledPlugins(settings, env).filter(isMod);
  const over = found.filter(answersForHooks);
  if (over.length === 0)
    return ok('No mod overrides the hooks', { facts: { mods: found.map(({ id }) => id) } });
  return over.map(({ id, root }) =>
    warn(`The mod ${id} hooks tool calls itself, so it could keep guard from being asked`, {
      facts: { plugin: id, root },
      hint: `Make sure that it passes every call on (next), or disable it: claude plugin disable ${id}`,
    }),
  );
});

const isMod = ({ hooks }: Plugin): boolean => Array.isArray(hooks['modules']) && hooks['modules'].length > 0;

function answersForHooks({ root }: Plugin): boolean {
  const files = readdirSync(join(root, 'hooks'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?[jt]sx?$/.test(name))
    .slice(0, MAX_FILES)
    .map((name) => join(root, 'hooks', name));
  return files.some((file) => statSync(file).size <= MAX_BYTES && ANSWERS.test(readFileSync(file, 'utf8')));
}
