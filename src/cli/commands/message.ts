/** `guard message send|inbox|thread|ack|settings`: send_message and fetch_inbox as commands. */
import { plain } from '../../core/plain.ts';
import { ACKNOWLEDGE, FETCH_INBOX, FETCH_THREAD, MESSAGE_SETTINGS } from '../../operations/messages.ts';
import type { InboxAnswer } from '../../operations/messages.ts';
import { IMPORTANCE, SEND_MESSAGE } from '../../operations/send.ts';
import type { CommandCall } from '../act.ts';
import type { Declaring } from '../declaring.ts';
import { type CallerOptions, operates } from '../operate.ts';
import type { Shell } from '../shell.ts';
import { messageLines } from '../view/message-lines.ts';

interface SendOptions extends CallerOptions {
  readonly to?: string[];
  readonly all?: boolean;
  readonly topic?: string;
  readonly subject?: string;
  readonly thread?: string;
  readonly importance?: string;
  readonly ack?: boolean;
}

const collect = (value: string, before: string[] = []): string[] => [...before, value];

export function define(command: Declaring, shell: Shell): void {
  const verb = (name: string, summary: string): Declaring => command.command(name).description(summary);
  defineSend(verb('send', 'write to agents'), shell);
  const inbox = verb('inbox', 'what others wrote and you have not read; else the newest')
    .option('--cursor <id>', 'all that came after this message')
    .option('--include-read', 'all of it, from the oldest on');
  operates(inbox, shell, FETCH_INBOX, {
    given: ({ options: { cursor, includeRead } }: CommandCall<InboxOptions>) => ({
      cursor,
      include_read: includeRead,
    }),
    flags: { cursor: '--cursor' },
    show: printInbox,
  });
  const thread = verb('thread', 'a conversation, oldest first').argument('<id>', 'of the thread');
  operates(thread, shell, FETCH_THREAD, {
    given: ({ args: [thread_id] }) => ({ thread_id }),
    show: ({ messages }, { out, color }) => {
      for (const message of messages) out(messageLines(message, color));
    },
    isYes: ({ messages }) => messages.length > 0,
  });
  const ack = verb('ack', 'acknowledge a message; without one: who owes you an acknowledgement').argument(
    '[id]',
    'of the message',
  );
  operates(ack, shell, ACKNOWLEDGE, {
    // An empty id is that of no message, not the question without one.
    given: ({ args: [message_id] }) => ({ message_id: message_id === '' ? '-' : message_id }),
    json: (told) => ('stale' in told ? told : { id: told.message_id, acknowledged: told.acknowledged }),
    show(told, { out }) {
      if ('stale' in told)
        for (const one of told.stale) out(`${one.message_id} waits for ${one.to.map(plain).join(', ')}\n`);
      else out(`acknowledged ${plain(told.message_id)}\n`);
    },
  });
  defineSettings(verb('settings', 'whom you do not hear, and which topics you do'), shell);
}

function defineSend(command: Declaring, shell: Shell): void {
  command
    .argument('<body>', 'what to say')
    .option('--to <agent>', 'id or name; may be given several times', collect)
    .option('--all', 'to everybody who is here')
    .option('--topic <name>', 'to those who follow it')
    .option('--subject <text>', 'what it is about')
    .option('--thread <id>', 'the thread it belongs to')
    .option('--importance <level>', IMPORTANCE.join(', '))
    .option('--ack', 'ask for an acknowledgement');
  operates(command, shell, SEND_MESSAGE, {
    given: ({ args: [body], options }: CommandCall<SendOptions>) => {
      const { to, all, topic, subject, thread, importance, ack } = options;
      const named = { topic, subject, thread_id: thread, importance, ack_required: ack };
      return { body, to: all === true ? ['*'] : to, ...named };
    },
    flags: {
      to: '--to, --all or --topic',
      subject: '--subject',
      importance: '--importance',
      thread_id: '--thread',
      topic: '--topic',
    },
    json: (told) => ({ sent: true, ...told }),
    show: ({ message_id, to }, { out }) => out(`sent ${message_id} to ${to.map(plain).join(', ')}\n`),
  });
}

interface InboxOptions extends CallerOptions {
  readonly cursor?: string;
  readonly includeRead?: boolean;
}

function printInbox(
  { messages, unread, has_more, negotiation_timeouts = [] }: InboxAnswer,
  { out, color }: Shell,
): void {
  const old = messages.length > 0 && unread === 0 ? 'Nothing unread. The newest:\n' : '';
  out(messages.length === 0 ? 'No messages.\n' : old);
  for (const message of messages) out(messageLines(message, color));
  const shown = messages.filter(({ read }) => !read).length;
  if (has_more && unread > shown) out(`${unread - shown} more are unread\n`);
  for (const one of negotiation_timeouts)
    out(
      `${color.yellow('unanswered')} ${plain(one.file)} asked of ${plain(one.to)} ${one.age_minutes} min ago (${plain(one.thread_id)})\n`,
    );
}

interface PreferOptions extends CallerOptions {
  readonly block?: string[];
  readonly unblock?: string[];
  readonly follow?: string[];
  readonly unfollow?: string[];
}

function defineSettings(command: Declaring, shell: Shell): void {
  command
    .option('--block <agent>', 'take nothing from it', collect)
    .option('--unblock <agent>', 'take messages from it again', collect)
    .option('--follow <topic>', 'hear of it', collect)
    .option('--unfollow <topic>', 'hear no more of it', collect);
  operates(command, shell, MESSAGE_SETTINGS, {
    given: ({ options: { block, unblock, follow, unfollow } }: CommandCall<PreferOptions>) => ({
      block,
      unblock,
      follow,
      unfollow,
    }),
    flags: { block: '--block', unblock: '--unblock', follow: '--follow', unfollow: '--unfollow' },
    show: ({ blocked }, { out }) =>
      out(
        blocked.length === 0
          ? 'You hear everybody.\n'
          : `You do not hear ${blocked.map(plain).join(', ')}.\n`,
      ),
  });
}
