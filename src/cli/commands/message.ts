/** `guard message send|inbox|thread|ack|settings`: send_message and fetch_inbox as commands. */
import { plain } from '../../core/plain.ts';
import { ACKNOWLEDGE, FETCH_INBOX, FETCH_THREAD, MESSAGE_SETTINGS } from '../../operations/messages.ts';
import type { InboxAnswer } from '../../operations/messages.ts';
import { IMPORTANCE, SEND_MESSAGE } from '../../operations/send.ts';
import type { Declaring } from '../declaring.ts';
import { operates } from '../operate.ts';
import { collect } from '../option-fields.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Shell } from '../shell.ts';
import { messageLines } from '../view/message-lines.ts';
import { namesHere } from '../view/names-here.ts';

export function define(command: Declaring, shell: Shell): void {
  const verb = (name: string, summary: string): Declaring => command.command(name).description(summary);
  defineSend(verb('send', 'write to agents'), shell);
  operates(
    verb('inbox', 'show your unread messages or, if there are none, the newest ones'),
    shell,
    FETCH_INBOX,
    {
      options: {
        cursor: ['--cursor <id>', 'show all messages after this one'],
        include_read: ['--include-read', 'show all messages, oldest first'],
      },
      show: printInbox,
    },
  );
  const thread = verb('thread', 'show a conversation, oldest first').argument('<id>', 'of the thread');
  operates(thread, shell, FETCH_THREAD, {
    given: ({ args: [thread_id] }) => ({ thread_id }),
    show({ messages }, { out, color }, _, { store }) {
      const nameOf = namesHere(store);
      for (const message of messages) out(messageLines(message, color, nameOf));
    },
    isYes: ({ messages }) => messages.length > 0,
  });
  const ack = verb(
    'ack',
    'acknowledge a message; without one, show who owes you an acknowledgement',
  ).argument('[id]', 'of the message');
  operates(ack, shell, ACKNOWLEDGE, {
    // An empty id matches no message; it does not mean that none was given.
    given: ({ args: [message_id] }) => ({ message_id: message_id === '' ? '-' : message_id }),
    json: (told) => ('stale' in told ? told : { id: told.message_id, acknowledged: told.acknowledged }),
    show(told, { out }, _, { store }) {
      const nameOf = namesHere(store);
      if ('stale' in told)
        for (const one of told.stale) out(`${one.message_id} waits for ${one.to.map(nameOf).join(', ')}\n`);
      else out(`acknowledged ${plain(told.message_id)}\n`);
    },
  });
  defineSettings(
    verb('settings', 'show or change which agents you block, and which topics you follow'),
    shell,
  );
}

function defineSend(command: Declaring, shell: Shell): void {
  command
    .argument('<body>', 'what to say')
    .option('--to <agent>', 'a recipient, by id or name; can be repeated', collect)
    .option('--all', 'send it to everyone who is here');
  operates(command, shell, SEND_MESSAGE, {
    given: ({ args: [body], options: { all, to } }) => ({ body, to: all === true ? ['*'] : to }),
    flags: { to: '--to, --all or --topic' },
    options: {
      topic: ['--topic <name>', 'send it to those who follow this topic'],
      subject: ['--subject <text>', 'what it is about'],
      thread_id: ['--thread <id>', 'the thread it belongs to'],
      importance: ['--importance <level>', IMPORTANCE.join(', ')],
      ack_required: ['--ack', 'ask for an acknowledgement'],
    },
    json: (told) => ({ sent: true, ...told }),
    show: ({ message_id, to }, { out }, _, { store }) =>
      out(`sent ${message_id} to ${to.map(namesHere(store)).join(', ')}\n`),
  });
}

function printInbox(
  { messages, unread, has_more, negotiation_timeouts = [] }: InboxAnswer,
  { out, color }: Shell,
  _: object,
  { store }: Pick<Workspace, 'store'>,
): void {
  const nameOf = namesHere(store);
  const old = messages.length > 0 && unread === 0 ? 'Nothing unread. The newest:\n' : '';
  out(messages.length === 0 ? 'No messages.\n' : old);
  for (const message of messages) out(messageLines(message, color, nameOf));
  const shown = messages.filter(({ read }) => !read).length;
  if (has_more && unread > shown) out(`${unread - shown} more unread\n`);
  for (const one of negotiation_timeouts)
    out(
      `${color.yellow('unanswered')} ${plain(one.file)} asked of ${nameOf(one.to)} ${one.age_minutes} min ago (${plain(one.thread_id)})\n`,
    );
}

function defineSettings(command: Declaring, shell: Shell): void {
  operates(command, shell, MESSAGE_SETTINGS, {
    options: {
      block: ['--block <agent>', 'receive no messages from this agent', { is_list: true }],
      unblock: ['--unblock <agent>', 'receive messages from this agent again', { is_list: true }],
      follow: ['--follow <topic>', 'receive messages on this topic', { is_list: true }],
      unfollow: ['--unfollow <topic>', 'receive no more messages on this topic', { is_list: true }],
    },
    show: ({ blocked }, { out }, _, { store }) =>
      out(
        blocked.length === 0
          ? 'You block no one.\n'
          : `You block ${blocked.map(namesHere(store)).join(', ')}.\n`,
      ),
  });
}
