/** `guard negotiate request|respond|pending`: asking for a file that another agent holds, and answering. */
import type { Command } from 'commander';
import { plain } from '../../core/plain.ts';
import { NEGOTIATE_RELEASE } from '../../operations/negotiation.ts';
import type { ReleaseRequestAnswer } from '../../operations/negotiation-reply.ts';
import { PENDING_REQUESTS, RESPOND_TO_RELEASE } from '../../operations/negotiation-response.ts';
import type { ResponseAnswer } from '../../operations/negotiation-response.ts';
import { wrong } from '../../operations/read-input.ts';
import { operates } from '../operate.ts';
import type { Shell } from '../shell.ts';
import { namesHere } from '../view/names-here.ts';
import { timeAgo } from '../view/time-left.ts';

export function define(command: Command, shell: Shell): void {
  const verb = (name: string, summary: string): Command => command.command(name).description(summary);
  const request = verb('request', 'ask an agent to release a file').argument('<file>', 'file or pattern');
  operates(request, shell, NEGOTIATE_RELEASE, {
    given: ({ args: [file] }) => ({ file }),
    options: {
      agent_name: ['--of <agent>', 'who holds it, by id or name'],
      reason: ['--reason <text>', 'why you need it'],
      urgency: [
        '--urgent',
        'mark the request as urgent',
        { read: (urgent) => (urgent === true ? 'urgent' : 'normal') },
      ],
      wait_seconds: ['--wait <duration>', 'how long to wait for the answer', { unit_ms: 1_000 }],
    },
    waits: () => ({}),
    show: (told, { out }, _, { store }) => out(`${wordsFor(told, namesHere(store))}\n`),
    isYes: ({ status }) => status === 'released' || status === 'pending',
  });
  const respond = verb('respond', 'answer a request: release the file, or say when').argument(
    '<thread>',
    'of the request',
  );
  operates(respond, shell, RESPOND_TO_RELEASE, {
    given({ args: [thread_id], options: { release, defer } }) {
      if ((release === true) === (defer !== undefined))
        throw wrong('action', 'Release it, or defer it: give --release, or --defer 10m.');
      return { thread_id, action: release === true ? 'release' : 'defer' };
    },
    options: {
      requester: ['--requester <agent>', 'who asked'],
      file: ['--file <path>', 'what was asked for'],
      action: ['--release', 'end your locks and reservations on it'],
      eta_minutes: ['--defer <duration>', 'how long you still need it (at most 60m)', { unit_ms: 60_000 }],
      reason: ['--reason <text>', 'why'],
    },
    show: showResponse,
  });
  operates(verb('pending', 'list requests that are not settled'), shell, PENDING_REQUESTS, {
    show({ requests }, { out }, _, { store }) {
      const nameOf = namesHere(store);
      for (const one of requests)
        out(
          `${plain(one.file)}  ${nameOf(one.from)} asked ${nameOf(one.to)} ${timeAgo(one.since)}${one.deferred ? `  deferred ${one.eta_minutes ?? 0} min` : ''}${one.is_free ? '  free now' : ''}  ${plain(one.thread_id)}\n`,
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
    nameOf: (id: string) => string,
  ) => string;
} = {
  pending: ({ to, thread_id }, nameOf) =>
    `asked ${nameOf(to)} (thread ${thread_id}); its answer will be in your inbox`,
  released: ({ released_by, reason }, nameOf) => `released by ${nameOf(released_by)} ${plain(reason)}`.trim(),
  deferred: ({ eta_minutes, reason }) => `deferred by about ${eta_minutes} min: ${plain(reason)}`,
  timeout: ({ waited }) => `no answer within ${waited} s`,
};

const wordsFor = (told: ReleaseRequestAnswer, nameOf: (id: string) => string): string =>
  (WORDS[told.status] as (one: ReleaseRequestAnswer, called: typeof nameOf) => string)(told, nameOf);
