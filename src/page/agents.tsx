import type { People } from './people.ts';
import type { ShownAgent, ShownScene } from './wire.ts';
import { agoAt, amountOf, shortPath } from './words.ts';

interface Shown {
  readonly scene: ShownScene;
  readonly people: People;
  readonly now_ms: number;
}

const PATH_CHARS = 44;
const HELD_SHOWN = 3;

export const Agents = ({ scene, people, now_ms }: Shown) => (
  <section aria-labelledby="agents-title">
    <h2 id="agents-title">Agents</h2>
    {scene.agents.length === 0 ? (
      <p class="calm">No active agents.</p>
    ) : (
      <div class="scroll tall" tabindex={0} role="group" aria-labelledby="agents-title">
        <table id="agents-table" class="agents">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Does</th>
              <th scope="col">Holds</th>
              <th scope="col">Heard</th>
              <th scope="col">Denied</th>
            </tr>
          </thead>
          <tbody>
            {scene.agents.map((agent) => (
              <tr key={agent.agent} data-agent={agent.agent}>
                <th scope="row">
                  <span class={`name ${people.colorOf(agent.agent)}`} title={agent.agent}>
                    {people.nameOf(agent.agent)}
                  </span>
                </th>
                <td>{doingOf(agent, scene, { people, now_ms })}</td>
                <td class="path">{holdsOf(agent, scene)}</td>
                <td class="dim">{heard(agent, now_ms)}</td>
                <td>{agent.denials === 0 ? '' : agent.denials}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);

function heard({ active_ms, last_active_seconds = 0 }: ShownAgent, now_ms: number): string {
  return agoAt(active_ms ?? now_ms - last_active_seconds * 1000, now_ms);
}

/** What is closest to the disk comes first. */
function doingOf(agent: ShownAgent, scene: ShownScene, { people, now_ms }: Omit<Shown, 'scene'>): string {
  const wait = scene.waits.find(({ from, kind }) => from === agent.agent && kind === 'wait');
  const command = scene.commands.find((one) => one.agent === agent.agent);
  const [call] = agent.at_work;
  if (agent.writing.length > 0)
    return `writes ${agent.writing.map((path) => shortPath(path, PATH_CHARS)).join(', ')}`;
  if (wait !== undefined)
    return `waits for ${people.nameOf(wait.to)}${wait.path === '' ? '' : `: ${shortPath(wait.path, PATH_CHARS)}`}`;
  if (command !== undefined) return `in a command since ${agoAt(Date.parse(command.since), now_ms)}`;
  if (call !== undefined) return `in ${call.tool} since ${agoAt(Date.parse(call.since), now_ms)}`;
  return agent.drafted === null ? '' : `${agent.drafted.role}: ${agent.drafted.doing ?? agent.drafted.task}`;
}

function holdsOf({ agent }: ShownAgent, { leases }: ShownScene): string {
  const held = leases.filter(({ holder }) => holder === agent).map(({ path }) => path);
  const shown = held.slice(0, HELD_SHOWN).map((path) => shortPath(path, PATH_CHARS));
  const more = held.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${amountOf(more, 'more file')}`}`;
}
