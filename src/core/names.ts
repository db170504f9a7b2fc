/** Pronounceable names: two words derived from the agent's id, so they are the same everywhere. */
import { plain } from './plain.ts';
import type { AgentId } from './types.ts';

const FIRST =
  'amber azure bold brave brisk calm clear coral crisp dawn deep eager early fair fleet fresh frost gentle glad golden green happy hazel ivory jade keen kind late light lively lucky mellow merry mild misty noble north olive opal pale plain proud quick quiet rapid red rosy ruby rust sage sharp silver sleek slow soft solar south steady still stone sunny swift teal warm wild'.split(
    ' ',
  );
const SECOND =
  'acorn aspen badger bay beaver birch bison brook cedar cliff clover cove crane creek crow deer delta dove dune eagle elm falcon fern field finch fir fjord fox glen grove gull harbor hare hawk heron hill ibis inlet isle ivy jay lake lark linden lynx maple marsh meadow mesa moose moss newt oak otter owl pine plover pond raven reed ridge river robin'.split(
    ' ',
  );

/** The default name of an agent. Two ids may get the same name; see uniqueNames. */
export function nameFor(id: AgentId): string {
  let sum = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) sum = Math.imul(sum ^ id.charCodeAt(at), 0x01000193) >>> 0;
  const first = FIRST[sum % FIRST.length] ?? '';
  const second = SECOND[(sum >>> 8) % SECOND.length] ?? '';
  return `${first}-${second}`;
}

/** All agents' names, made unique: chosen names take precedence, then earlier agents. */
export function uniqueNames(
  agents: readonly { readonly id: AgentId; readonly chosen: string | null }[],
): ReadonlyMap<AgentId, string> {
  const names = new Map<AgentId, string>();
  const taken = new Set<string>();
  const inOrder = [
    ...agents.filter(({ chosen }) => chosen !== null),
    ...agents.filter(({ chosen }) => chosen === null),
  ];
  for (const { id, chosen } of inOrder) {
    const wanted = chosen ?? nameFor(id);
    let name = wanted;
    for (let n = 2; taken.has(name); n++) name = `${wanted}-${n}`;
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

/** For people, with the id where that is different: `ann (claude-1234)`. @param name as it is shown */
export const withId = (name: string, id: AgentId): string =>
  name === plain(id) ? name : `${name} (${plain(id)})`;
