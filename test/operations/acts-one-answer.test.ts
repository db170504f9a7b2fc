/** Release and lookup: each input, valid or not, gets the same answer at every face that has it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHECK_CONFLICTS } from '../../src/operations/conflicts.ts';
import { LEAVE } from '../../src/operations/membership.ts';
import { LIST_AGENTS } from '../../src/operations/agents.ts';
import { LOCK_RELEASE, LOCK_RELEASE_ALL, LOCK_STATUS, LOCK_WAIT } from '../../src/operations/locks.ts';
import { LIST_RESERVATIONS } from '../../src/operations/reservation-list.ts';
import { RELEASE_ALL, RELEASE_FILES } from '../../src/operations/unreserve.ts';
import { areWords, ask, counts, expectOne, isWord, play, whole } from './ask-faces.ts';
import { essenceOf, openFaces, type Json } from './faces.ts';

const LIMIT_MS = 240_000;

describe('giving back', () => {
  it(
    'reservations by id is one thing',
    async () => {
      const faces = await openFaces();
      const ids = fc.constantFrom<unknown>(
        ['r-1'],
        ['r-999999999'],
        ['x', 'r-1'],
        [],
        'r-1',
        [5],
        [''],
        null,
      );
      await play(
        ids,
        async (reservation_ids) => {
          const words = areWords(reservation_ids) ? ['unreserve', ...reservation_ids] : null;
          // Without ids the command requires ids or --all.
          const cli = words !== null && words.length > 1 && !words.includes('') ? words : null;
          expectOne(
            await ask(faces, RELEASE_FILES, { reservation_ids }, { mcp: 'release_files', cli }),
            whole,
          );
        },
        [['r-999999999'], ['r-1']],
      );
    },
    LIMIT_MS,
  );

  it('all reservations, and all locks, is one thing', async () => {
    const faces = await openFaces();
    const holding = async (agent: string): Promise<void> => {
      await faces.mcp('reserve_files', agent, { patterns: [`${agent}/**`], reason: 'r' });
      await faces.mcp('lock_try', agent, { filepaths: [`${agent}.txt`] });
    };
    const released = await ask(
      faces,
      RELEASE_ALL,
      {},
      { mcp: 'release_all', cli: ['unreserve', '--all'] },
      holding,
    );
    expectOne(released, whole);
    expect(released.get('itself')).toEqual({ answer: { released_count: 1 } });
    const cli = ['lock', 'release', '--all-held'];
    const unlocked = await ask(faces, LOCK_RELEASE_ALL, {}, { mcp: 'lock_release_all', cli }, holding);
    expectOne(unlocked, counts('count', 'still_reserved'));
    expect(unlocked.get('itself')).toMatchObject({ answer: { count: 1 } });
    const left = await ask(faces, LEAVE, {}, { http: ['DELETE', '/api/agents/ME'], cli: ['leave'] }, holding);
    expectOne(left, counts('was_here', 'released_files', 'released_reservations'));
  });

  it(
    'locks by path is one thing',
    async () => {
      const faces = await openFaces();
      const paths = fc.constantFrom<unknown>(['a'], ['a', '/etc/hosts'], ['.'], 'a', [7], [''], null);
      await play(paths, async (filepaths) => {
        const cli = areWords(filepaths) && !filepaths.includes('') ? ['lock', 'release', ...filepaths] : null;
        expectOne(await ask(faces, LOCK_RELEASE, { filepaths }, { mcp: 'lock_release', cli }), whole);
      });
    },
    LIMIT_MS,
  );
});

describe('looking', () => {
  it(
    'at locks, and waiting for one that is held, is one thing',
    async () => {
      const faces = await openFaces();
      await faces.mcp('lock_try', 'claude-holder', { filepaths: ['kept'] });
      const asked = fc.record({
        filepaths: fc.constantFrom<unknown>(['kept'], ['../x'], ['.'], 'kept', [7], null),
        timeout_seconds: fc.constantFrom<unknown>(0, '0', -1, 'soon', true),
      });
      await play(asked, async ({ filepaths, timeout_seconds }) => {
        const paths = areWords(filepaths) ? filepaths : null;
        const status = paths && ['lock', 'status', ...paths];
        expectOne(
          await ask(faces, LOCK_STATUS, { filepaths }, { mcp: 'lock_status', cli: status }),
          (answer) => (answer['results'] as Json[]).map(({ held_by_me, holder }) => [held_by_me, holder]),
        );
        const timeout = typeof timeout_seconds === 'boolean' ? null : `--timeout=${String(timeout_seconds)}`;
        const cli = paths && timeout !== null ? ['lock', 'wait', ...paths, timeout] : null;
        expectOne(
          await ask(faces, LOCK_WAIT, { filepaths, timeout_seconds }, { mcp: 'lock_wait', cli }),
          (answer) => (answer['results'] as Json[]).map(({ acquired, error }) => [acquired, typeof error]),
        );
      });
    },
    LIMIT_MS,
  );

  it(
    'for conflicts is one thing, of a pattern that is none too',
    async () => {
      const faces = await openFaces();
      await faces.mcp('reserve_files', 'claude-holder', { patterns: ['taken/**'], reason: 'r' });
      const asked = fc.record({
        pattern: fc.constantFrom<unknown>('taken/a', 'free/**', '../x', '/etc/hosts', '[', '', 5),
        exclusive: fc.constantFrom<unknown>(true, 'false', 'maybe', undefined),
        project: fc.constantFrom<unknown>(undefined, 'another'),
      });
      await play(
        asked,
        async ({ pattern, exclusive, project }) => {
          const query = Object.entries({ pattern, exclusive, project })
            .filter(([, value]) => value !== undefined)
            .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
          const isCommand = isWord(pattern) && project === undefined && exclusive !== 'maybe';
          const cli =
            isCommand && pattern !== ''
              ? ['conflicts', pattern, ...(exclusive === 'false' ? ['--shared'] : [])]
              : null;
          const said = await ask(
            faces,
            CHECK_CONFLICTS,
            { patterns: pattern === '' ? [] : [pattern], exclusive, project },
            {
              mcp: 'check_conflicts',
              cli,
              ...(isWord(pattern)
                ? { http: ['GET', `/api/reservations/check?${query.join('&')}`] as const }
                : {}),
            },
          );
          // HTTP takes one pattern and names its field `pattern`.
          const named = [...said].map(
            ([face, one]) =>
              [face, 'code' in one && one.field === 'pattern' ? { ...one, field: 'patterns' } : one] as const,
          );
          expectOne(new Map(named), counts('conflicts', 'clear', 'errors', 'elsewhere'));
        },
        [
          { pattern: '../x', exclusive: undefined, project: undefined },
          { pattern: 'taken/a', exclusive: undefined, project: 'another' },
        ],
      );
    },
    LIMIT_MS,
  );

  it('at who is here, and at what is reserved, is one thing, of another project too', async () => {
    const faces = await openFaces();
    await faces.mcp('reserve_files', 'claude-holder', { patterns: ['listed/**'], reason: 'r' });
    for (const [query, words, input] of [
      ['', [], {}],
      ['?project=another', ['--project', 'another'], { project: 'another' }],
    ] as const) {
      const http = ['GET', `/api/reservations${query}`] as const;
      const listed = await ask(faces, LIST_RESERVATIONS, input, { http, cli: ['reservations', ...words] });
      expectOne(listed, counts('reservations'));
      const here = await ask(faces, LIST_AGENTS, { capability: 'none', ...input }, {});
      expect(here.get('itself')).toEqual({ answer: [] });
      const agents = await ask(faces, LIST_AGENTS, input, {});
      const said = await faces.ask('GET', `/api/agents${query}`, 'go-0', {});
      const told = agents.get('itself') as { answer: unknown };
      expect(Array.isArray(told.answer) && told.answer.length).toBe(
        (essenceOf(({ agents: all }) => all)(said) as unknown[]).length,
      );
    }
  });
});
