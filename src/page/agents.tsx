import { doingWords } from './doing.tsx';
import { PathWords } from './path-words.tsx';
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
  <section id="agents" aria-labelledby="agents-title">
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
                <td class="does">{doingWords(agent, scene, { people, now_ms })}</td>
                <td class="holds">
                  <Holds agent={agent} scene={scene} />
                </td>
                <td class="heard dim" data-column="Heard">
                  {heard(agent, now_ms)}
                </td>
                <td class="denials" data-column="Denied">
                  {agent.denials === 0 ? '' : agent.denials}
                </td>
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

function Holds({ agent, scene }: { readonly agent: ShownAgent; readonly scene: ShownScene }) {
  const held = scene.leases.filter(({ holder }) => holder === agent.agent).map(({ path }) => path);
  const shown = held.slice(0, HELD_SHOWN);
  const more = held.length - shown.length;
  return (
    <>
      {shown.map((path, nth) => (
        <span key={path}>
          {nth > 0 && ', '}
          <PathWords path={shortPath(path, PATH_CHARS)} />
        </span>
      ))}
      {more > 0 && ` and ${amountOf(more, 'more file')}`}
    </>
  );
}
