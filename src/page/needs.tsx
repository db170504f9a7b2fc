/** What needs attention, most urgent first. */
import type { People } from './people.ts';
import type { Circle, PresentStatus, ShownScene } from './wire.ts';

interface Needing {
  readonly status: PresentStatus;
  readonly scene: ShownScene;
  readonly people: People;
  readonly isPast: boolean;
}

export function NeedsSection({ status, scene, people, isPast }: Needing) {
  const words = [
    ...scene.cycles.filter(({ kind }) => kind === 'deadlock').map((cycle) => cycleWords(cycle, people)),
    ...(isPast ? [] : nowWords(status)),
  ];
  if (words.length === 0) return null;
  return (
    <section class="needs" aria-labelledby="needs">
      <h2 id="needs">Needs attention</h2>
      <ul>
        {words.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </section>
  );
}

function cycleWords({ edges, victim, release = [], state }: Circle, people: People): string {
  const waits = edges.map(({ from, to, path }) =>
    path === ''
      ? `${people.nameOf(from)} waits for the end of ${people.nameOf(to)}`
      : `${people.nameOf(from)} waits for ${path}, which ${people.nameOf(to)} holds`,
  );
  const end = release.length === 0 ? 'stop waiting' : `release ${release.join(', ')}`;
  const verdict =
    victim === undefined
      ? ''
      : ` ${people.nameOf(victim)} ${state === 'told' ? 'was told to' : 'has to'} ${end}.`;
  return `Deadlock: ${waits.join('; ')}.${verdict}`;
}

const nowWords = ({ hooked, off_until, late, unjoined }: PresentStatus): readonly string[] => [
  ...(hooked ? [] : ['No hooks of guard are installed here, so sessions are not guarded. Run: guard init']),
  ...(off_until === null ? [] : [`guard is off until ${off_until}: writes are not checked.`]),
  ...(late === 0 ? [] : [`Not yet written to the ledger, which was busy: ${late}.`]),
  ...(unjoined ?? []).map(({ pid, cwd }) => `Claude Code works in ${cwd} without guard (pid ${pid}).`),
];
