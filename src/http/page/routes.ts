import { keptContent } from '../../contents/read-content.ts';
import { contentionOf } from '../../history/contention.ts';
import type { LedgerHistory } from '../../history/history.ts';
import { timelineOf } from '../../history/timeline.ts';
import type { Window } from '../../history/window.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { number, optional, text, withDefault } from '../../operations/field.ts';
import { Refusal } from '../refusal.ts';
import { extentOf } from './extent.ts';
import { type PageRoute, pageRoute } from './route.ts';

const LSN_MAX = Number.MAX_SAFE_INTEGER;
const WALL_MS_MAX = 8.64e15;
const ROWS_MAX = 200;
const ROWS = 40;
const DEPTH_MAX = 20;
const DENIALS_MAX = 500;
const CONTENT_BYTES_MAX = 512 * 1024;

const window_fields = {
  from_ms: number('Wall clock, milliseconds', { min: 0, max: WALL_MS_MAX }),
  to_ms: number('Wall clock, milliseconds', { min: 0, max: WALL_MS_MAX }),
};

export const PAGE_ROUTES: readonly PageRoute[] = [
  pageRoute({
    path: '/page/now',
    query: {},
    async run(_, { past, look }) {
      await past.current();
      return look();
    },
  }),
  pageRoute({
    path: '/page/history',
    query: {},
    run: async (_, { past }) => extentOf(await past.current()),
  }),
  pageRoute({
    path: '/page/at',
    query: {
      nth: optional(number('Which record, from 0', { min: 0, max: LSN_MAX })),
      lsn: optional(number('The last record at or before that lsn', { min: 0, max: LSN_MAX })),
      at_ms: optional(number('The last record at or before that time', { min: 0, max: WALL_MS_MAX })),
    },
    async run({ nth, lsn, at_ms }, { past, space }) {
      const history = await past.current();
      const found =
        lsn !== undefined
          ? history.nthOf({ lsn })
          : at_ms !== undefined
            ? history.nthOf({ ms: at_ms })
            : Math.min(Math.floor(nth ?? history.count - 1), history.count - 1);
      if (found < 0) throw notKept(history);
      return history.sceneAt(found, space().facts().policy);
    },
  }),
  pageRoute({
    path: '/page/timeline',
    query: {
      ...window_fields,
      rows: withDefault(number('Files', { min: 1, max: ROWS_MAX, cut: true }), ROWS),
      matching: withDefault(text('Part of a path', { max_chars: 400 }), ''),
    },
    run: async (wish, { past, space }) =>
      timelineOf(await past.current(), { ...wish, ...untilNow(wish, space()) }),
  }),
  pageRoute({
    path: '/page/contention',
    query: { ...window_fields, depth: withDefault(number('Of directories', { min: 0, max: DEPTH_MAX }), 2) },
    run: async ({ depth, ...window }, { past, space }) => ({
      directories: contentionOf(await past.current(), untilNow(window, space()), depth).slice(0, ROWS_MAX),
    }),
  }),
  pageRoute({
    path: '/page/denials',
    query: {
      ...window_fields,
      most: withDefault(number('The newest so many', { min: 1, max: DENIALS_MAX, cut: true }), 50),
    },
    async run({ from_ms, to_ms, most }, { past }) {
      const { denials } = await past.current();
      const found = denials.filter(({ ms }) => ms >= from_ms && ms <= to_ms);
      return { total: found.length, denials: found.slice(-most).reverse() };
    },
  }),
  pageRoute({
    path: '/page/writes',
    query: { ...window_fields, path: text('Of this file') },
    async run({ from_ms, to_ms, path }, { past }) {
      const { writes } = await past.current();
      const found = writes.filter((one) => one.path === path && one.ms >= from_ms && one.ms <= to_ms);
      return { total: found.length, writes: found.slice(-DENIALS_MAX).reverse() };
    },
  }),
  pageRoute({
    path: '/page/content',
    query: { digest: text('SHA-256', { form: [/^[0-9a-f]{64}$/, '64 hexadecimal digits'] }) },
    run({ digest }, { space }) {
      const bytes = keptContent(space().state_dir, digest);
      if (bytes === null) return { digest, state: 'not_kept', bytes: null };
      if (bytes.length > CONTENT_BYTES_MAX) return { digest, state: 'too_large', bytes: null };
      return { digest, state: 'kept', bytes: bytes.toString('base64') };
    },
  }),
  pageRoute({
    path: '/page/forecast',
    query: {},
    run: (_, { forecast }) => forecast(),
  }),
];

/** Whatever is still going on lasts until now, and no further. */
const untilNow = ({ from_ms, to_ms }: Window, { facts }: Workspace): Window => ({
  from_ms,
  to_ms: Math.min(to_ms, Math.ceil(facts().now.wall_ms)),
});

const notKept = ({ first }: LedgerHistory): Refusal =>
  new Refusal(404, 'NOT_KEPT', 'No record of that moment is kept.', {
    hint:
      first === null
        ? 'The ledger has no record yet.'
        : `The oldest one that is kept has the lsn ${first.lsn}.`,
  });
