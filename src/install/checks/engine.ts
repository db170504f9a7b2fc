import { type EngineHealth, type EngineStanding, engineStanding } from '../../core/engine-health.ts';
import { isGuardError } from '../../core/error.ts';
import { holderName } from '../../repo/clones.ts';
import { unjoined } from '../../repo/require-joined.ts';
import { checking, fail, type Finding, ok, refused, warn } from '../check.ts';

/** Every lock takes two round trips. */
const SLOW_MS = 100;
/** No lease depends on the difference. But whichever is wrong may be the server's, which must not be set ahead later. */
const CLOCKS_APART_MS = 10_000;

const SYNCHRONOUS = 'Name a standby in synchronous_standby_names of the server (docs/fleet.md).';

const STANDINGS: Readonly<Record<EngineStanding, { readonly message: string; readonly hint: string }>> = {
  in_step: { message: 'a standby is in step', hint: '' },
  stuck: {
    message: 'commits wait for a standby, and none is in step: nothing is granted',
    hint: 'Bring the standby back, or name another one in synchronous_standby_names.',
  },
  asynchronous: {
    message:
      'its standbys are all asynchronous: a failover loses what was acknowledged, and grants locks twice',
    hint: `${SYNCHRONOUS} Or write {"engine_asynchronous": true} into your own configuration.`,
  },
  alone: {
    message: 'it has no standby: if it is lost, everything since the last backup is lost, too',
    hint: SYNCHRONOUS,
  },
};

/** The server of a shared ledger: its latency, its clock difference, and whether what it acknowledges would survive its loss. */
export const engine = checking('engine', ({ engine: seen, repo }) => {
  if (seen === null) {
    const alone = unjoined(repo);
    return alone === null ? [] : refused(alone);
  }
  if (isGuardError(seen)) return refused(seen);
  const { round_trip_ms, clock_difference_ms, is_flushed } = seen;
  const standing = engineStanding(seen);
  const facts = { round_trip_ms, clock_difference_ms, standing, standbys: namesOf(seen) };
  const { message, hint } = STANDINGS[standing];
  const isRefused = standing === 'stuck' || (standing === 'asynchronous' && !seen.asynchronous);
  const judged = standing === 'in_step' ? ok : isRefused ? fail : warn;
  const apart = `its clock is ${clock_difference_ms} ms ahead`;
  return [
    judged(`The shared ledger answers within ${round_trip_ms} ms, ${apart}; ${message}`, { facts, hint }),
    ...beside(round_trip_ms > SLOW_MS, `A query to the shared ledger takes ${round_trip_ms} ms`, FAR),
    ...beside(Math.abs(clock_difference_ms) > CLOCKS_APART_MS, `Clocks differ: ${apart}`, CLOCKS),
    ...beside(
      holderName(repo) === '',
      'This clone cannot be distinguished from those of other machines',
      UNNAMED,
    ),
    ...beside(!is_flushed, 'The server of the shared ledger does not flush what it acknowledges', FLUSH),
  ];
});

const FAR = 'Each lock takes two: use a server that is closer.';
const CLOCKS =
  "Keep them in step by NTP, which slews. Leases run on the server's clock alone: if it is set ahead while the server runs, they end early.";
const UNNAMED = 'Run "guard fleet join" when no agent is at work here: an older guard gave it no name.';
const FLUSH = 'Set fsync = on there.';

const beside = (isSo: boolean, message: string, hint: string): readonly Finding[] =>
  isSo ? [warn(message, { hint })] : [];

const namesOf = ({ standbys }: EngineHealth): readonly string[] =>
  standbys.map(({ name, kind, state }) => `${name ?? '?'} ${kind ?? '?'} ${state ?? '?'}`);
