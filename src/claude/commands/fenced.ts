// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Tells the agent of a command that hit the fence who holds the file, which "Read-only file system" does not say. */
import { plain } from '../../core/plain.ts';
import { shellWord } from '../../core/shell-word.ts';
import { parseHeld } from '../../fence/held.ts';
import { ranInto } from '../../fence/ran-into.ts';
import { heldFile, readOn, textOrEmpty } from '../../fence/site.ts';
import { asFields, asText } from '../input.ts';
import type { Hook } from '../context.ts';
import type { Command } from './command.ts';

/** Further files are only counted. */
const FILES_SHOWN = 5;

export function fenceNotes({ home, who, input }: Hook, command: Command): readonly string[] {
  const on = readOn(home.state_dir);
  if (on === null) return [];
  const shown = shownBy(input.tool_response, input.raw['error']);
  const others = (parseHeld(textOrEmpty(heldFile(home.state_dir)))?.entries ?? []).filter(
    ({ owner }) => owner !== who.id,
  );
  const targets = (): readonly string[] => command.effects().targets.map(({ path }) => path);
  const hit = ranInto(shown, others, command.cwd, { targets, by: on.helper.kind });
  if (hit.length === 0) return [];
  const { guard_command: guard } = home.facts();
  const files = hit.slice(0, FILES_SHOWN).map(({ path, owner }) => `${plain(path)} by ${owner}`);
  const more = hit.length > FILES_SHOWN ? [`${hit.length - FILES_SHOWN} more (${guard} lock status)`] : [];
  const wait = hit.slice(0, FILES_SHOWN).map(({ path }) => shellWord(path));
  return [
    `guard: held by others, so read-only for your commands: ${[...files, ...more].join(', ')}. ` +
      'The command could not change them, but everything else it did remains, so check what is half done. ' +
      `Next: ${guard} lock wait ${wait.join(' ')}, then read them and run it again; or leave these files out.`,
  ];
}

/** Newer clients include standard error in the response; a failure is reported as one text. */
function shownBy(response: unknown, error: unknown): string {
  const fields = asFields(response);
  return [fields['stdout'], fields['stderr'], error].map(asText).join('\n');
}
