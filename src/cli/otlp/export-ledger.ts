/** `guard log --otlp`: the ledger as OpenTelemetry, to a file or to the user's own collector. */
import { closeSync, openSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { loadOwnKeys } from '../../config/load-own-keys.ts';
import { GuardError } from '../../core/error.ts';
import type { OtlpFacts } from '../../history/otlp/encoding.ts';
import { tracedOf } from '../../history/otlp/export.ts';
import { type OtlpRequest, otlpRequestsOf } from '../../history/otlp/requests.ts';
import { machineId } from '../../repo/machine.ts';
import type { Repo } from '../../repo/locate.ts';
import { keptRecords } from '../../store/kept-records.ts';
import { openLedger } from '../../workspace/open-ledger.ts';
import { isInClaude } from '../agent-id.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { ledgerPlace, type WhichLedger } from '../ledger-place.ts';
import type { Shell } from '../shell.ts';
import { writeAll } from '../write.ts';
import { postToCollector } from './post.ts';

const STANDARD_OUTPUT = '-';

/** Exports all of the ledger or nothing, because half a span is useless. */
export const otlpOption = (): Option =>
  new Option(
    '--otlp [file]',
    'export the ledger as OpenTelemetry to a file, to standard output (-), or by default to your collector',
  ).conflicts(['json', 'follow', 'type', 'agent', 'path', 'since', 'raw']);

/** @param to a file, `-`, or true for the collector that the user's own configuration names */
export async function exportLedger(options: WhichLedger, to: string | true, shell: Shell): Promise<ExitCode> {
  if (to !== STANDARD_OUTPUT) refuseAgents(shell);
  const { repo, state_dir } = ledgerPlace(shell, options);
  const endpoint = to === true ? endpointOf(repo, shell) : null;
  const { store } = openLedger({ repo, state_dir, env: shell.env });
  const traced = tracedOf(keptRecords(state_dir, store));
  const requests = otlpRequestsOf(traced, resourceOf(repo));
  if (endpoint !== null) for (const request of requests) await postToCollector(endpoint, request);
  else if (to === STANDARD_OUTPUT) for (const request of requests) shell.out(lineOf(request));
  else writeLines(resolve(shell.cwd, String(to)), requests);
  const { spans, events } = traced;
  shell.err(`guard: ${spans.length} spans and ${events.length} log records exported.\n`);
  return EXIT.yes;
}

/** A file would be written past guard's locks, and the collector belongs to the user. */
function refuseAgents({ env }: Shell): void {
  if (!isInClaude(env)) return;
  throw new GuardError(
    'GUARD_ERR_USAGE',
    'Only a person may export the ledger to a file or a collector.',
    'Run "guard log --otlp -": it prints the export.',
  );
}

function endpointOf(repo: Repo, { env }: Shell): string {
  const endpoint = loadOwnKeys({ repo, env })?.otlp_endpoint ?? null;
  if (endpoint !== null) return endpoint;
  throw new GuardError(
    'GUARD_ERR_USAGE',
    '"--otlp" was given no file, and your configuration names no collector.',
    'Name a file, or set "otlp_endpoint" in your user configuration: docs/configuration.md.',
  );
}

const resourceOf = ({ root }: Repo): OtlpFacts => ({
  ...{ 'service.name': 'guard', 'host.name': hostname() },
  ...{ 'guard.repository': root, 'guard.machine': machineId() },
});

/** A collector's file receiver takes one request per line. */
const lineOf = ({ body }: OtlpRequest): string => `${JSON.stringify(body)}\n`;

function writeLines(file: string, requests: Iterable<OtlpRequest>): void {
  try {
    const fd = openSync(file, 'w', 0o600);
    try {
      for (const request of requests) writeAll(fd, lineOf(request));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const { message } = error as Error;
    const hint = 'Name a file that you can write, or "-" for standard output.';
    throw new GuardError('GUARD_ERR_IO', `${file} cannot be written: ${message}`, hint, { file }, error);
  }
}
