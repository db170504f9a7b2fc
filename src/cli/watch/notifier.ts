/** Notifies a person: by the program in their own configuration, or else by the desktop. */
import { basename } from 'node:path';
import { GuardError } from '../../core/error.ts';
import { startDetached } from '../../repo/start-detached.ts';
import type { Environment } from '../../repo/user-dirs.ts';
import type { Matter } from './attention.ts';

export type Notify = (news: readonly [Matter, ...Matter[]]) => void;

interface Notified {
  /** The main checkout. */
  readonly root: string;
  readonly env: Environment;
  /** `on_attention`: a program and its arguments; empty if there is none. */
  readonly program: readonly string[];
  readonly platform?: NodeJS.Platform;
  /** Called once at most, if the program cannot be started. */
  readonly failed: (text: string) => void;
}

type CommandLine = readonly string[];

/** Linux starts no program with a variable or an argument of more than 128 KiB, and a character may have four bytes. */
const CHARS_MAX = 16_000;

const cut = (text: string): string => (text.length > CHARS_MAX ? `${text.slice(0, CHARS_MAX)}…` : text);

/** A body may contain markup, which a file name must not be taken for. */
const unmarked = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const APPLE = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'];

/** Arguments are passed as such: nothing in them is a script or an option. */
const DESKTOPS: Readonly<Partial<Record<NodeJS.Platform, (title: string, text: string) => CommandLine>>> = {
  linux: (title, text) => ['notify-send', '--app-name=guard', '--', title, unmarked(text)],
  darwin: (title, text) => ['osascript', ...APPLE.flatMap((line) => ['-e', line]), title, text],
};

/** Nothing waits for the program or depends on it. @throws GuardError GUARD_ERR_CONFIG if this system has no notifier that guard knows */
export function openNotifier({ root, env, program, platform = process.platform, failed }: Notified): Notify {
  const desktop = DESKTOPS[platform];
  if (program.length === 0 && desktop === undefined)
    throw new GuardError(
      'GUARD_ERR_CONFIG',
      `guard cannot show notifications on ${platform}.`,
      'Set "on_attention" in your user configuration to a program of yours: docs/configuration.md.',
      { platform },
    );
  let is_failed = false;
  const fail = (error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error);
    if (!is_failed)
      failed(
        `guard: ${reason}, so no notifications are shown. Install that program, or set "on_attention" in your user configuration.\n`,
      );
    is_failed = true;
  };
  return (news) => {
    const text = cut(news.map((matter) => matter.text).join('\n'));
    const call = program.length > 0 ? program : (desktop?.(`guard: ${basename(root)}`, text) ?? []);
    startDetached(call, { cwd: root, env: { ...env, ...variablesOf(news, text, root) }, failed: fail });
  };
}

const variablesOf = (
  news: readonly [Matter, ...Matter[]],
  text: string,
  root: string,
): Record<string, string> => ({
  GUARD_ATTENTION_KIND: news[0].kind,
  GUARD_ATTENTION_TEXT: text,
  GUARD_ATTENTION_DETAIL: cut(news.flatMap(({ detail }) => detail).join('\n')),
  GUARD_ATTENTION_REPOSITORY: root,
});
