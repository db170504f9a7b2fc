import { useState } from 'preact/hooks';
import { FileDifference } from './difference-view.tsx';
import type { People } from './people.ts';
import type { PageServer } from './server.ts';
import { useAnswer } from './use-answer.ts';
import type { DenialSeen } from './wire.ts';
import { MomentLink } from './moment-link.tsx';
import { PathWords } from './path-words.tsx';
import { amountOf, clockIn, shortPath } from './words.ts';

interface Look {
  readonly server: PageServer;
  readonly people: People;
  readonly version: number;
  readonly window: { readonly from_ms: number; readonly to_ms: number };
}

const PATH_CHARS = 48;

export function DenialList({ server, people, version, window }: Look) {
  const answer = useAnswer(server, '/page/denials', { ...window, most: 50 }, version);
  const denials = answer?.denials ?? [];
  return (
    <section id="denied" aria-labelledby="denials-title">
      <h2 id="denials-title">Denied writes</h2>
      {denials.length === 0 ? (
        <p class="calm">{answer === null ? 'Looking…' : 'Nothing was denied in that time.'}</p>
      ) : (
        <ul id="denials" class="denials">
          {denials.map((one) => (
            <Denial key={one.lsn} {...{ denial: one, people, server, until_ms: window.to_ms }} />
          ))}
        </ul>
      )}
      {answer !== null && answer.total > denials.length && (
        <p class="dim">{amountOf(answer.total - denials.length, 'older one')} not shown.</p>
      )}
    </section>
  );
}

interface Shown {
  readonly denial: DenialSeen;
  readonly people: People;
  readonly server: PageServer;
  /** The end of the span shown. */
  readonly until_ms: number;
}

function Denial({ denial, people, server, until_ms }: Shown) {
  const [isOpen, setOpen] = useState(false);
  const { lsn, ms, agent, tool, paths, error_type, message, hint, seen, found } = denial;
  const [first = ''] = paths;
  return (
    <li data-lsn={lsn}>
      <MomentLink lsn={lsn}>
        <time>{clockIn(ms, until_ms)}</time>
      </MomentLink>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span class={`name ${people.colorOf(agent)}`}>{people.nameOf(agent)}</span>
          <code class="reason">{error_type}</code>
          <span>
            <PathWords path={shortPath(first, PATH_CHARS)} />
            {paths.length > 1 && ` and ${paths.length - 1} more`}
          </span>
        </summary>
        <p>{message}</p>
        {hint !== '' && <p class="dim">{hint}</p>}
        <p class="dim">
          {tool} on {paths.join(', ')}
        </p>
        {isOpen && (seen !== null || found !== null) && (
          <FileDifference server={server} before={seen} after={found} />
        )}
      </details>
    </li>
  );
}
