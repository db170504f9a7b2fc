/** What an agent had seen of a file, compared with what was there instead, once both contents match their digests. */
import { differenceOf } from './difference.ts';
import type { PageServer } from './server.ts';
import { useAnswer } from './use-answer.ts';
import { verified, type VerifiedContent } from './verified.ts';

interface Sides {
  readonly server: PageServer;
  /** `null` if there was no file. */
  readonly before: string | null;
  readonly after: string | null;
}

export function FileDifference({ server, before, after }: Sides) {
  const old = useContent(server, before);
  const now = useContent(server, after);
  return (
    <div class="difference">
      <p class="digests">
        <Digest side={old} words="had seen" /> <Digest side={now} words="is there" />
      </p>
      <Lines before={old} after={now} />
    </div>
  );
}

function useContent(server: PageServer, digest: string | null): VerifiedContent | null {
  const answer = useAnswer(server, digest === null ? null : '/page/content', {
    digest: digest ?? '',
  });
  if (digest === null) return { digest: '', state: 'verified', text: '' };
  return answer === null || answer.digest !== digest ? null : verified(digest, answer);
}

const STATES: Readonly<Record<VerifiedContent['state'], string>> = {
  verified: 'verified here',
  false: 'not what the server sent',
  not_kept: 'content not kept',
  too_large: 'too large to show',
};

const Digest = ({ side, words }: { readonly side: VerifiedContent | null; readonly words: string }) =>
  side === null || side.digest === '' ? null : (
    <span
      class={`digest ${side.state}`}
      data-digest={side.digest}
      data-state={side.state}
      title={side.digest}
    >
      <span class="dim">{words}</span> <code>{side.digest.slice(0, 12)}</code> {STATES[side.state]}
    </span>
  );

function Lines({
  before,
  after,
}: {
  readonly before: VerifiedContent | null;
  readonly after: VerifiedContent | null;
}) {
  if (before === null || after === null) return <p class="dim">Looking…</p>;
  if (before.text === null || after.text === null)
    return (
      <p class="dim">No difference can be shown: a content was not kept, or does not match its digest.</p>
    );
  const lines = differenceOf(before.text, after.text);
  if (lines === null) return <p class="dim">Too much differs to show it.</p>;
  return (
    <pre class="diff" tabindex={0} aria-label="What differs">
      {lines.map(({ kind, text }, nth) => (
        <span key={nth} class={kind}>
          {`${SIGNS[kind]}${text}\n`}
        </span>
      ))}
    </pre>
  );
}

const SIGNS = { same: '  ', gone: '- ', new: '+ ', gap: '@ ' } as const;
