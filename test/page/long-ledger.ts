/** A ledger of any length, with the records the engine would write for locks, waits, writes, releases and denials. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, RecordBody } from '../../src/core/ledger.ts';
import { EMPTY_PATH } from '../../src/core/states.ts';
import { openClock } from '../../src/repo/clock.ts';
import { openEmbedded } from '../../src/store/embedded/open.ts';
import { encodeRecord, FIRST_LSN } from '../../src/store/record.ts';
import type { Scratch } from '../claude/driver.ts';
import { numbers } from './story.ts';

const AGENTS = 24;
const DIRECTORIES = 20;
const FILES = 400;
const SEGMENT_BYTES = 8 << 20;

export function writeLongLedger({ state }: Scratch, count: number): void {
  for (const name of readdirSync(state))
    if (/^(?:ledger-.*\.jsonl|index|checkpoint-.*)$/.test(name))
      rmSync(join(state, name), { recursive: true });
  mkdirSync(state, { recursive: true });
  let [lsn, prev, base] = [FIRST_LSN, 0, FIRST_LSN];
  let lines: Buffer[] = [];
  const flush = (): void => {
    writeFileSync(join(state, `ledger-${base.toString(16).padStart(12, '0')}.jsonl`), Buffer.concat(lines), {
      mode: 0o600,
    });
    [base, lines] = [lsn, []];
  };
  for (const body of recordsOf(count)) {
    const { bytes, crc } = encodeRecord(withToken(body, lsn), { lsn, prev, more: 0 });
    lines.push(bytes);
    prev = crc;
    lsn += bytes.length;
    if (lsn - base >= SEGMENT_BYTES) flush();
  }
  if (lines.length > 0) flush();
  // What a hook would have done: without an index, each request would read the whole ledger.
  openEmbedded({ dir: state, now: openClock() }).still?.(() => undefined, { writes: true });
}

const withToken = (body: RecordBody, lsn: number): RecordBody =>
  JSON.parse(JSON.stringify(body).replaceAll('"@"', String(lsn))) as RecordBody;

/** One record per second, ending now. */
function* recordsOf(count: number): Generator<RecordBody> {
  const { wall_ms, mono_ms, boot } = openClock()();
  const draw = numbers(11);
  const held = new Map<string, Json>();
  const begun = { wall_ms: wall_ms - count * 1_000, mono_ms: mono_ms - count * 1_000 };
  for (let nth = 0; nth < count; nth++) {
    const at = { wall: begun.wall_ms + nth * 1_000, mono: begun.mono_ms + nth * 1_000 };
    const id = `agent-${nth < AGENTS ? nth : Math.floor(draw() * AGENTS)}`;
    const file = Math.floor(draw() * draw() * FILES);
    const path = `src/part${file % DIRECTORIES}/file${file}.ts`;
    const common = { agent: id, ts_ms: at.wall };
    const state = {
      ...{
        id,
        kind: 'session',
        parent: null,
        session: id,
        joined_lsn: 1,
        joined_wall_ms: begun.wall_ms,
        context: 'own',
      },
      ...{
        turn: 1,
        epoch: 1,
        active_mono_ms: at.mono,
        active_wall_ms: at.wall,
        boot,
        proc: null,
        live: true,
        op: null,
      },
      ...{ background: [], denials: 0 },
    };
    const hold = {
      agent: id,
      mode: 'exclusive',
      token: '@',
      epoch: 1,
      since_wall_ms: at.wall,
      since_mono_ms: at.mono,
      boot,
      ttl_ms: 900_000,
    };
    const s = (path_state: object): Record<string, Json> =>
      ({ [`agent:${id}`]: state, [`path:${path}`]: { ...EMPTY_PATH, ...path_state } }) as unknown as Record<
        string,
        Json
      >;
    if (nth < AGENTS) yield { ...common, type: 'agent.join', s: { [`agent:${id}`]: state } };
    else if (!held.has(path)) {
      held.set(path, hold);
      yield { ...common, type: 'hold', paths: [path], s: s({ holds: [hold] }) };
    } else if (draw() < 0.1) {
      const denial = {
        error_type: 'LOCKED_BY_OTHER',
        message: `${path} is locked.`,
        recovery_hint: 'Wait.',
        details: {},
      };
      yield {
        ...common,
        type: 'write.rejected',
        tool: 'Edit',
        paths: [path],
        denial,
        s: { [`agent:${id}`]: state },
      };
    } else if (draw() < 0.3) {
      const ticket = {
        agent: id,
        mode: 'exclusive',
        epoch: 1,
        ticket: '@',
        since_mono_ms: at.mono,
        until_mono_ms: at.mono + 2_000,
        boot,
      };
      yield { ...common, type: 'wait', path, s: s({ holds: [held.get(path)], queue: [ticket] }) };
    } else {
      held.delete(path);
      const last_write = { agent: id, digest: nth.toString(16).padStart(64, '0'), lsn: '@', op: null };
      yield { ...common, type: 'release', paths: [path], s: s({ last_write, touched: '@' }) };
    }
  }
}
