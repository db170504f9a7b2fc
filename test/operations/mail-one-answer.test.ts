/** Messages and release responses: each input, valid or not, gets the same answer at every face that has it. */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { PENDING_REQUESTS, RESPOND_TO_RELEASE } from '../../src/operations/negotiation-response.ts';
import { ACKNOWLEDGE, FETCH_INBOX, FETCH_THREAD, MESSAGE_SETTINGS } from '../../src/operations/messages.ts';
import { areWords, ask, counts, expectOne, isWord, play, whole } from './ask-faces.ts';
import { openFaces } from './faces.ts';

const LIMIT_MS = 240_000;

describe('messages', () => {
  it(
    'are read, acknowledged and shut out in one way',
    async () => {
      const faces = await openFaces();
      const inbox = fc.record({
        cursor: fc.constantFrom<unknown>(undefined, 'm-999', 'x'.repeat(90), '', 5),
        include_read: fc.constantFrom<unknown>(undefined, true, 'maybe'),
        message_id: fc.constantFrom<unknown>('m-1', 'm-999', 'a\u001bb', 'x'.repeat(300)),
        thread_id: fc.constantFrom<unknown>('nothing', 'x'.repeat(300), ''),
        block: fc.constantFrom<unknown>('nobody', '', ['claude-holder'], [5]),
      });
      await play(inbox, async ({ cursor, include_read, message_id, thread_id, block }) => {
        const options = [
          ...(isWord(cursor) ? [`--cursor=${cursor}`] : []),
          ...(include_read === true ? ['--include-read'] : []),
        ];
        const isTypeable = cursor !== 5 && include_read !== 'maybe';
        expectOne(
          await ask(
            faces,
            FETCH_INBOX,
            { cursor, include_read },
            { mcp: 'fetch_inbox', cli: isTypeable ? ['message', 'inbox', ...options] : null },
          ),
          counts('messages', 'unread', 'has_more', 'next_cursor'),
        );
        const acked = ['message', 'ack', String(message_id)];
        const path = `/api/messages/${encodeURIComponent(String(message_id))}/ack`;
        expectOne(await ask(faces, ACKNOWLEDGE, { message_id }, { http: ['POST', path], cli: acked }), whole);
        const threads =
          thread_id === '' ? {} : ({ http: ['GET', `/api/threads/${String(thread_id)}`] } as const);
        const words = ['message', 'thread', String(thread_id)];
        expectOne(
          await ask(faces, FETCH_THREAD, { thread_id }, { ...threads, cli: words }),
          counts('messages'),
        );
        const blocked = isWord(block) ? [block] : block;
        const cli =
          areWords(blocked) && block !== ''
            ? ['message', 'settings', ...blocked.map((one) => `--block=${one}`)]
            : null;
        expectOne(await ask(faces, MESSAGE_SETTINGS, { block }, { cli }), whole);
      });
    },
    LIMIT_MS,
  );
});

describe('answering a request', () => {
  it(
    'is one thing whatever is answered',
    async () => {
      const faces = await openFaces();
      await faces.mcp('list_agents', 'claude-asker', {});
      const asked = fc.record({
        thread_id: fc.constantFrom('nothing', 'x'.repeat(300)),
        requester: fc.constantFrom('claude-asker', 'nobody', ''),
        file: fc.constantFrom('a.ts', '../out', ''),
        action: fc.constantFrom('release', 'defer'),
        eta_minutes: fc.constantFrom<unknown>(5, '5', -1, 'soon'),
      });
      await play(asked, async ({ action, eta_minutes, ...input }) => {
        const eta = action === 'defer' ? { eta_minutes } : {};
        const minutes =
          typeof eta_minutes === 'number' || /^\d+$/.test(String(eta_minutes))
            ? `${String(eta_minutes)}m`
            : String(eta_minutes);
        const { thread_id, requester, file } = input;
        const how = action === 'release' ? ['--release'] : [`--defer=${minutes}`];
        const cli = ['negotiate', 'respond', thread_id, `--requester=${requester}`, `--file=${file}`, ...how];
        const http = ['POST', `/api/negotiations/${thread_id}/response`] as const;
        const said = await ask(
          faces,
          RESPOND_TO_RELEASE,
          { ...input, action, ...eta },
          { mcp: 'respond_to_release', http, cli },
        );
        expectOne(said, whole);
      });
      const pending = { http: ['GET', '/api/negotiations'] as const, cli: ['negotiate', 'pending'] };
      expectOne(await ask(faces, PENDING_REQUESTS, {}, pending), whole);
    },
    LIMIT_MS,
  );
});
