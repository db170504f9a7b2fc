/** `guard negotiate request|respond|pending`: asking for a file that another agent holds, and answering. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { GuardError } from '../../core/error.ts';
import { plain } from '../../core/plain.ts';
import { negotiateRelease, pendingRequests, respondToRelease } from '../../coordination/negotiation.ts';
import type { ReleaseAnswer } from '../../coordination/negotiation.ts';
import { act } from '../act.ts';
import { atDesk, withDeskOptions } from '../desk.ts';
import type { DeskOptions } from '../desk.ts';
import { duration_ms } from '../duration.ts';
import { EXIT } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { untilStopped } from '../until-stopped.ts';

interface RequestOptions extends DeskOptions {
  readonly of: string;
  readonly reason: string;
  readonly urgent?: boolean;
  readonly wait?: number;
}

interface RespondOptions extends DeskOptions {
  readonly requester: string;
  readonly file: string;
  readonly release?: boolean;
  readonly defer?: number;
  readonly reason?: string;
}

export function define(command: Command, shell: Shell): void {
  const verb = (name: string, summary: string): Command =>
    withDeskOptions(command.command(name).description(summary));
  const request = verb('request', 'ask an agent to release a file')
    .argument('<file>', 'file or pattern')
    .requiredOption('--of <agent>', 'who holds it, by id or name')
    .requiredOption('--reason <text>', 'why you need it')
    .option('--urgent', 'tell it as urgent')
    .option('--wait <duration>', 'how long to wait for the answer', duration_ms);
  act<RequestOptions>(request, shell, ({ args: [file = ''], options }) =>
    atDesk(options, shell, async (desk) => {
      const asked = {
        agent_name: options.of,
        file,
        reason: options.reason,
        urgency: options.urgent === true ? ('urgent' as const) : ('normal' as const),
        wait_ms: options.wait ?? 0,
        thread_id: randomUUID(),
      };
      const answers: ReleaseAnswer[] = [];
      await untilStopped(async (signal) => void answers.push(await negotiateRelease(desk, asked, signal)));
      const [told] = answers as [ReleaseAnswer];
      if (options.json === true) shell.json(told);
      else shell.out(`${wordsFor(told)}\n`);
      return told.status === 'released' || told.status === 'pending' ? EXIT.yes : EXIT.no;
    }),
  );
  const respond = verb('respond', 'answer a request: release the file, or say when')
    .argument('<thread>', 'of the request')
    .requiredOption('--requester <agent>', 'who asked')
    .requiredOption('--file <path>', 'what was asked for')
    .option('--release', 'end your locks and reservations on it')
    .option('--defer <duration>', 'how long you still need it (at most 60m)', duration_ms)
    .option('--reason <text>', 'why');
  act<RespondOptions>(respond, shell, ({ args: [thread_id = ''], options }) => {
    if ((options.release === true) === (options.defer !== undefined))
      throw new GuardError('GUARD_ERR_USAGE', 'Release it, or defer it?', 'Give --release, or --defer 10m.');
    return atDesk(options, shell, (desk) => {
      const told = respondToRelease(desk, {
        thread_id,
        requester: options.requester,
        action: options.release === true ? 'release' : 'defer',
        file: options.file,
        eta_minutes: (options.defer ?? 0) / 60_000,
        reason: options.reason ?? '',
      });
      if (options.json === true) shell.json(told);
      else if (told.action === 'defer')
        shell.out(`deferred ${plain(told.file)} by ${told.eta_minutes} min\n`);
      else if (told.settled === true) shell.out(`settled already, nothing was done: ${plain(told.file)}\n`);
      else {
        shell.out(`released ${told.released} on ${plain(told.file)}\n`);
        for (const one of told.released_reservations)
          shell.out(`  reservation ${one.id}  ${plain(one.pattern)}\n`);
        for (const path of told.released_files) shell.out(`  lock  ${plain(path)}\n`);
      }
      return EXIT.yes;
    });
  });
  act<DeskOptions>(verb('pending', 'requests that are not settled'), shell, ({ options }) =>
    atDesk(options, shell, (desk) => {
      const told = pendingRequests(desk);
      if (options.json === true) shell.json(told);
      else
        for (const one of told.requests)
          shell.out(
            `${plain(one.file)}  ${plain(one.from)} asked ${plain(one.to)}  since ${one.since}${one.deferred ? `  deferred ${one.eta_minutes ?? 0} min` : ''}${one.is_free ? '  free now' : ''}  ${plain(one.thread_id)}\n`,
          );
      return EXIT.yes;
    }),
  );
}

const WORDS: {
  readonly [S in ReleaseAnswer['status']]: (told: Extract<ReleaseAnswer, { status: S }>) => string;
} = {
  pending: ({ to, thread_id }) =>
    `asked ${plain(to)} (thread ${thread_id}); its answer comes into your inbox`,
  released: ({ released_by, reason }) => `released by ${plain(released_by)} ${plain(reason)}`.trim(),
  deferred: ({ eta_minutes, reason }) => `deferred by about ${eta_minutes} min: ${plain(reason)}`,
  timeout: ({ waited }) => `no answer within ${waited} s`,
};

const wordsFor = (told: ReleaseAnswer): string =>
  (WORDS[told.status] as (one: ReleaseAnswer) => string)(told);
