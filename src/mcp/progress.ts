/** Reports the progress of a wait to clients that asked for it. */
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { DraftState } from '../core/drafts.ts';
import type { Waiting } from '../locks/wait.ts';

type Extra = Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, '_meta' | 'sendNotification'>;

/** The protocol requires numbers that only grow: here, the number of reports. */
export function progressNotifier<T>(
  { _meta, sendNotification }: Extra,
  inWords: (news: T) => string,
): (news: T) => void {
  const progressToken = _meta?.progressToken;
  let progress = 0;
  return (news) => {
    if (progressToken === undefined) return;
    progress++;
    const params = { progressToken, progress, message: inWords(news) };
    // A client that is gone receives nothing; the end of stdin ends the wait.
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

export function waitInWords({ filepaths, holders, left_ms, note }: Waiting): string {
  const by = holders.length === 0 ? '' : `, held by ${holders.join(', ')}`;
  const told = note === null ? '' : ` ${note}`;
  return `Waiting for ${filepaths.join(', ')}${by}; at most ${Math.ceil(left_ms / 1000)} s more.${told}`;
}

export const draftInWords = ({ id, status, usage, doing }: DraftState): string =>
  `${id}: ${status}, ${usage.turns} turns${doing == null ? '' : `, ${doing}`}`;
