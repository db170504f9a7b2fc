import { useEffect, useMemo, useState } from 'preact/hooks';
import { browserNow } from './browser-clock.ts';
import { Agents } from './agents.tsx';
import { ContentionTable } from './contention.tsx';
import { DenialList } from './denials.tsx';
import { ForecastSection } from './forecast.tsx';
import { PageHeader } from './header.tsx';
import { NeedsSection } from './needs.tsx';
import { peopleOf } from './people.ts';
import type { PageServer } from './server.ts';
import { TimeBar } from './time-bar.tsx';
import { TimelineFigure } from './timeline.tsx';
import { useAnswer } from './use-answer.ts';
import { WaitGraph } from './wait-graph.tsx';
import type { Extent, Present, ShownScene } from './wire.ts';
import { lengthOf, type Stretch, Stretches } from './stretches.tsx';

interface Shown {
  readonly server: PageServer;
  readonly present: Present;
  readonly isLive: boolean;
}

/** The present changes even without records: ages grow, and leases lapse. */
const CLOCK_MS = 5_000;

export function Dashboard({ server, present, isLive }: Shown) {
  const [nth, setNth] = useState<number | null>(null);
  const [stretch, setStretch] = useState<Stretch>('1 h');
  const [clock_ms, setClock] = useState(() => browserNow());
  useEffect(() => {
    const timer = setInterval(() => setClock(browserNow()), CLOCK_MS);
    return () => clearInterval(timer);
  }, []);
  const extent = useAnswer(server, '/page/history', {}, present.count);
  const then = useAnswer(server, nth === null ? null : '/page/at', { nth: nth ?? 0 });
  const past = nth === null ? null : then;
  const scene: ShownScene = past?.scene ?? present.status;
  const now_ms = past?.at_ms ?? Math.max(clock_ms, present.last?.ms ?? 0);
  const people = useMemo(
    () =>
      peopleOf(
        present.everybody,
        new Map([...present.status.agents, ...scene.agents].map(({ agent, name }) => [agent, name])),
      ),
    [present, scene],
  );
  const window = windowOf(extent, stretch, now_ms);
  const look = { server, people, version: present.count, window };
  return (
    <>
      <a class="skip" href="#waits">
        Skip to who waits for whom
      </a>
      <PageHeader present={present} scene={scene} isLive={isLive} isPast={nth !== null} />
      <TimeBar
        extent={extent}
        read_percent={present.read_percent}
        {...{ nth, then: past, people, onMove: setNth }}
      />
      <main>
        <NeedsSection status={present.status} scene={scene} people={people} isPast={nth !== null} />
        <div class="columns">
          <WaitGraph scene={scene} people={people} now_ms={now_ms} />
          <Agents scene={scene} people={people} now_ms={now_ms} />
        </div>
        <Stretches stretch={stretch} onChoose={setStretch} />
        <TimelineFigure {...look} scene={scene} at_ms={past?.at_ms ?? null} />
        <div class="columns">
          <DenialList {...look} />
          <ContentionTable {...look} />
        </div>
        <ForecastSection server={server} />
      </main>
    </>
  );
}

/** Ends at the moment shown, rounded up: otherwise every look would ask for another window. */
function windowOf(extent: Extent | null, stretch: Stretch, now_ms: number) {
  const to_ms = Math.ceil(now_ms / CLOCK_MS) * CLOCK_MS;
  const first_ms = extent?.first?.ms ?? to_ms;
  const length_ms = lengthOf(stretch) ?? to_ms - first_ms + 1_000;
  return { from_ms: Math.max(0, Math.floor(to_ms - length_ms)), to_ms };
}
