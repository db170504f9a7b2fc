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
import { SkipLink } from './skip-link.tsx';
import { SpanChoice } from './span-choice.tsx';
import { fittingSpan, type SpanName, windowShown } from './span-shown.ts';
import { TimeBar } from './time-bar.tsx';
import { TimelineFigure } from './timeline.tsx';
import { useAnswer } from './use-answer.ts';
import { useMoment } from './use-moment.ts';
import { WaitGraph } from './wait-graph.tsx';
import type { Present, ShownScene } from './wire.ts';

interface Shown {
  readonly server: PageServer;
  readonly present: Present;
  readonly isLive: boolean;
}

/** The present changes even without records: ages grow, and leases lapse. */
const CLOCK_MS = 5_000;

export function Dashboard({ server, present, isLive }: Shown) {
  const [chosen, setChosen] = useState<SpanName | null>(null);
  const [clock_ms, setClock] = useState(() => browserNow());
  useEffect(() => {
    const timer = setInterval(() => setClock(browserNow()), CLOCK_MS);
    return () => clearInterval(timer);
  }, []);
  const extent = useAnswer(server, '/page/history', {}, present.count);
  const moment = useMoment(server, extent);
  const { then, go } = moment;
  const isPast = moment.sought !== null && !moment.is_gone;
  const scene: ShownScene = then?.scene ?? present.status;
  const { denials } = then ?? present.status;
  const present_ms = Math.max(clock_ms, present.last?.ms ?? 0);
  const now_ms = then?.at_ms ?? present_ms;
  const people = useMemo(() => {
    const { everybody, chosen: names, status } = present;
    return peopleOf({ everybody, chosen: names, now: [...status.agents, ...scene.agents] });
  }, [present, scene]);
  const name = chosen ?? fittingSpan(extent, present_ms);
  const at_ms = then?.at_ms ?? null;
  const window = windowShown(extent, { name, now_ms: present_ms, at_ms });
  const look = { server, people, version: present.count };
  const until = { ...window, to_ms: Math.min(window.to_ms, at_ms ?? window.to_ms) };
  return (
    <>
      <SkipLink to="waits">Skip to who waits for whom</SkipLink>
      <PageHeader present={present} scene={scene} isLive={isLive} isPast={isPast} />
      <TimeBar extent={extent} read_percent={present.read_percent} moment={moment} people={people} />
      <main>
        <NeedsSection status={present.status} then={then} people={people} now_ms={now_ms} />
        <div class="columns">
          <WaitGraph {...{ scene, denials, people, now_ms }} />
          <Agents scene={scene} people={people} now_ms={now_ms} />
        </div>
        <SpanChoice chosen={name} onChoose={setChosen} />
        <TimelineFigure
          {...{ ...look, window, at_ms }}
          scene={present.status}
          onChoose={(ms) => go({ at_ms: ms })}
        />
        <div class="columns">
          <DenialList {...look} window={until} />
          <ContentionTable {...look} window={until} />
        </div>
        <ForecastSection server={server} />
      </main>
    </>
  );
}
