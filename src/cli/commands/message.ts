/** `guard message send|inbox|thread|ack|settings`: send_message and fetch_inbox as commands. */
import type { Command } from 'commander';
import { GuardError } from '../../core/error.ts';
import type { Importance } from '../../core/letters.ts';
import { plain } from '../../core/plain.ts';
import { agentCalled } from '../../coordination/agents.ts';
import {
  checkedName,
  fetchInbox,
  fetchThread,
  sendMessage,
  waitingForAck,
  whyNotSent,
} from '../../coordination/mailbox.ts';
import type { InboxAnswer, Message } from '../../coordination/mailbox.ts';
import { act } from '../act.ts';
import { atDesk, withDeskOptions } from '../desk.ts';
import type { DeskOptions } from '../desk.ts';
import { EXIT } from '../exit.ts';
import type { Shell } from '../shell.ts';

interface SendOptions extends DeskOptions {
  readonly to?: string[];
  readonly all?: boolean;
  readonly topic?: string;
  readonly subject?: string;
  readonly thread?: string;
  readonly importance?: string;
  readonly ack?: boolean;
}

const collect = (value: string, before: string[] = []): string[] => [...before, value];

export function define(command: Command, shell: Shell): void {
  const verb = (name: string, summary: string): Command =>
    withDeskOptions(command.command(name).description(summary));
  const send = verb('send', 'write to agents')
    .argument('<body>', 'what to say')
    .option('--to <agent>', 'id or name; may be given several times', collect)
    .option('--all', 'to everybody who is here')
    .option('--topic <name>', 'to those who follow it')
    .option('--subject <text>', 'what it is about')
    .option('--thread <id>', 'the thread it belongs to')
    .option('--importance <level>', 'low, normal, high or urgent')
    .option('--ack', 'ask for an acknowledgement');
  act<SendOptions>(send, shell, ({ args, options }) =>
    atDesk(options, shell, (desk) => {
      const { to = [], all, topic, subject, thread, importance = 'normal', ack } = options;
      if (to.length === 0 && all !== true && topic === undefined)
        throw new GuardError('GUARD_ERR_USAGE', 'To whom?', 'Give --to, --all or --topic.');
      const sent = sendMessage(desk, {
        to: all === true ? ['*'] : to,
        body: args[0] ?? '',
        ...(topic === undefined ? {} : { topic }),
        ...(subject === undefined ? {} : { subject }),
        ...(thread === undefined ? {} : { thread_id: thread }),
        importance: levelOf(importance),
        ack_required: ack === true,
      });
      const why = whyNotSent(sent);
      if (options.json === true)
        shell.json({
          sent: why === null,
          message_id: sent.id,
          thread_id: sent.thread_id,
          to: sent.delivered,
          blocked_by: sent.blocked,
          ...(why === null ? {} : { error: why }),
        });
      else
        shell.out(
          why === null
            ? `sent ${sent.id} to ${sent.delivered.map(plain).join(', ')}\n`
            : `not sent: ${why}\n`,
        );
      return why === null ? EXIT.yes : EXIT.no;
    }),
  );
  const inbox = verb('inbox', 'what others wrote and you have not read; else the newest')
    .option('--cursor <id>', 'all that came after this message')
    .option('--include-read', 'all of it, from the oldest on');
  act<InboxOptions>(inbox, shell, ({ options }) =>
    atDesk(options, shell, (desk) => {
      const { cursor, includeRead: include_read } = options;
      const told = fetchInbox(desk, { cursor, include_read });
      if (options.json === true) shell.json(told);
      else printInbox(told, shell);
      return EXIT.yes;
    }),
  );
  const thread = verb('thread', 'a conversation, oldest first').argument('<id>', 'of the thread');
  act<DeskOptions>(thread, shell, ({ args, options }) =>
    atDesk(options, shell, (desk) => {
      const messages = fetchThread(desk, args[0] ?? '');
      if (options.json === true) shell.json({ messages });
      else for (const message of messages) shell.out(linesOf(message, shell));
      return messages.length > 0 ? EXIT.yes : EXIT.no;
    }),
  );
  const ack = verb('ack', 'acknowledge a message; without one: who owes you an acknowledgement').argument(
    '[id]',
    'of the message',
  );
  act<DeskOptions>(ack, shell, ({ args: [id], options }) =>
    atDesk(options, shell, (desk) => {
      if (id === undefined) {
        const stale = waitingForAck(desk).map(({ id: message_id, to }) => ({ message_id, to }));
        if (options.json === true) shell.json({ stale });
        else
          for (const one of stale) shell.out(`${one.message_id} waits for ${one.to.map(plain).join(', ')}\n`);
        return EXIT.yes;
      }
      const acknowledged = desk.ledger.run({ type: 'message.ack', who: desk.who, id });
      if (options.json === true) shell.json({ id, acknowledged });
      else shell.out(acknowledged ? `acknowledged ${plain(id)}\n` : `no such message: ${plain(id)}\n`);
      return acknowledged ? EXIT.yes : EXIT.no;
    }),
  );
  definePreferences(verb('settings', 'whom you do not hear, and which topics you do'), shell);
}

interface InboxOptions extends DeskOptions {
  readonly cursor?: string;
  readonly includeRead?: boolean;
}

function printInbox(
  { messages, unread, has_more, negotiation_timeouts = [] }: InboxAnswer,
  shell: Shell,
): void {
  const old = messages.length > 0 && unread === 0 ? 'Nothing unread. The newest:\n' : '';
  shell.out(messages.length === 0 ? 'No messages.\n' : old);
  for (const message of messages) shell.out(linesOf(message, shell));
  const shown = messages.filter(({ read }) => !read).length;
  if (has_more && unread > shown) shell.out(`${unread - shown} more are unread\n`);
  for (const one of negotiation_timeouts)
    shell.out(
      `${shell.color.yellow('unanswered')} ${plain(one.file)} asked of ${plain(one.to)} ${one.age_minutes} min ago (${plain(one.thread_id)})\n`,
    );
}

interface PreferOptions extends DeskOptions {
  readonly block?: string[];
  readonly unblock?: string[];
  readonly follow?: string[];
  readonly unfollow?: string[];
}

function definePreferences(command: Command, shell: Shell): void {
  command
    .option('--block <agent>', 'take nothing from it', collect)
    .option('--unblock <agent>', 'take messages from it again', collect)
    .option('--follow <topic>', 'hear of it', collect)
    .option('--unfollow <topic>', 'hear no more of it', collect);
  act<PreferOptions>(command, shell, ({ options }) =>
    atDesk(options, shell, (desk) => {
      const ids = (names: readonly string[] = []): string[] => names.map((name) => agentCalled(desk, name));
      const blocked = desk.ledger.run({
        type: 'message.prefer',
        who: desk.who,
        block: ids(options.block),
        unblock: ids(options.unblock),
        follow: (options.follow ?? []).map(checkedName),
        unfollow: options.unfollow ?? [],
      });
      if (options.json === true) shell.json({ blocked });
      else
        shell.out(
          blocked.length === 0
            ? 'You hear everybody.\n'
            : `You do not hear ${blocked.map(plain).join(', ')}.\n`,
        );
      return EXIT.yes;
    }),
  );
}

function levelOf(given: string): Importance {
  const level = (['low', 'normal', 'high', 'urgent'] as const).find((one) => one === given);
  if (level !== undefined) return level;
  throw new GuardError(
    'GUARD_ERR_USAGE',
    `${JSON.stringify(given.slice(0, 40))} is no importance.`,
    'low, normal, high or urgent',
  );
}

/** Whatever is in it, a terminal is shown and obeys nothing of it. */
function linesOf(message: Message, { color }: Shell): string {
  const { id, timestamp, from, subject, body, importance, thread_id } = message;
  const head = [
    color.dim(timestamp),
    id,
    `from ${plain(from)}`,
    importance === 'normal' ? '' : importance,
    plain(subject),
    `thread ${plain(thread_id)}`,
  ];
  return `${head.filter((word) => word !== '').join('  ')}\n${body
    .split('\n')
    .map((line) => `  ${plain(line)}\n`)
    .join('')}`;
}
