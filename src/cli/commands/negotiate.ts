/** `guard negotiate request|respond|pending`: asking for a file that another agent holds, and answering. */
import type { Command } from 'commander';
import { plain } from '../../core/plain.ts';
import { NEGOTIATE_RELEASE } from '../../operations/negotiation.ts';
import type { ReleaseRequestAnswer } from '../../operations/negotiation-reply.ts';
import { PENDING_REQUESTS, RESPOND_TO_RELEASE } from '../../operations/negotiation-response.ts';
import type { ResponseAnswer } from '../../operations/negotiation-response.ts';
import { wrong } from '../../operations/read-input.ts';
import type { CommandCall } from '../act.ts';
import { type CallerOptions, operates } from '../operate.ts';
import type { Shell } from '../shell.ts';

interface RequestOptions extends CallerOptions {
  readonly of: string;
  readonly reason: string;
  readonly urgent?: boolean;
  readonly wait?: string;
}

interface RespondOptions extends CallerOptions {
  readonly requester: string;
  readonly file: string;
  readonly release?: boolean;
  readonly defer?: string;
  readonly reason?: string;
}

export function define(command: Command, shell: Shell): void {
  const verb = (name: string, summary: string): Command => command.command(name).description(summary);
  const request = verb('request', 'ask an agent to release a file')
    .argument('<file>', 'file or pattern')
    .requiredOption('--of <agent>', 'who holds it, by id or name')
    .requiredOption('--reason <text>', 'why you need it')
    .option('--urgent', 'tell it as urgent')
    .option('--wait <duration>', 'how long to wait for the answer');
  operates(request, shell, NEGOTIATE_RELEASE, {
    given: ({
      args: [file],
      options: { of: agent_name, reason, urgent, wait },
    }: CommandCall<RequestOptions>) => ({
      ...{ agent_name, file, reason },
      urgency: urgent === true ? 'urgent' : 'normal',
      wait_seconds: wait,
    }),
    flags: { agent_name: '--of', reason: '--reason', wait_seconds: '--wait' },
    units_ms: { wait_seconds: 1_000 },
    waits: () => ({}),
    show: (told, { out }) => out(`${wordsFor(told)}\n`),
    isYes: ({ status }) => status === 'released' || status === 'pending',
  });
  const respond = verb('respond', 'answer a request: release the file, or say when')
    .argument('<thread>', 'of the request')
    .requiredOption('--requester <agent>', 'who asked')
    .requiredOption('--file <path>', 'what was asked for')
    .option('--release', 'end your locks and reservations on it')
    .option('--defer <duration>', 'how long you still need it (at most 60m)')
    .option('--reason <text>', 'why');
  operates(respond, shell, RESPOND_TO_RELEASE, {
    given: ({ args: [thread_id], options }: CommandCall<RespondOptions>) => {
      const { requester, file, release, defer, reason } = options;
      if ((release === true) === (defer !== undefined))
        throw wrong('action', 'Release it, or defer it: give --release, or --defer 10m.');
      const action = release === true ? 'release' : 'defer';
      return { thread_id, requester, file, action, eta_minutes: defer, reason };
    },
    flags: { requester: '--requester', file: '--file', eta_minutes: '--defer', reason: '--reason' },
    units_ms: { eta_minutes: 60_000 },
    show: showResponse,
  });
  operates(verb('pending', 'requests that are not settled'), shell, PENDING_REQUESTS, {
    given: () => ({}),
    show({ requests }, { out }) {
      for (const one of requests)
        out(
          `${plain(one.file)}  ${plain(one.from)} asked ${plain(one.to)}  since ${one.since}${one.deferred ? `  deferred ${one.eta_minutes ?? 0} min` : ''}${one.is_free ? '  free now' : ''}  ${plain(one.thread_id)}\n`,
        );
    },
  });
}

function showResponse(told: ResponseAnswer, { out }: Shell): void {
  if (told.action === 'defer') out(`deferred ${plain(told.file)} by ${told.eta_minutes} min\n`);
  else if (told.settled === true) out(`settled already, nothing was done: ${plain(told.file)}\n`);
  else {
    out(`released ${told.released} on ${plain(told.file)}\n`);
    for (const one of told.released_reservations) out(`  reservation ${one.id}  ${plain(one.pattern)}\n`);
    for (const path of told.released_files) out(`  lock  ${plain(path)}\n`);
  }
}

const WORDS: {
  readonly [S in ReleaseRequestAnswer['status']]: (
    told: Extract<ReleaseRequestAnswer, { status: S }>,
  ) => string;
} = {
  pending: ({ to, thread_id }) =>
    `asked ${plain(to)} (thread ${thread_id}); its answer comes into your inbox`,
  released: ({ released_by, reason }) => `released by ${plain(released_by)} ${plain(reason)}`.trim(),
  deferred: ({ eta_minutes, reason }) => `deferred by about ${eta_minutes} min: ${plain(reason)}`,
  timeout: ({ waited }) => `no answer within ${waited} s`,
};

const wordsFor = (told: ReleaseRequestAnswer): string =>
  (WORDS[told.status] as (one: ReleaseRequestAnswer) => string)(told);
