/** git aliases: configured words that replace the command. */
import type { Git } from './ask.ts';
import { gitWords, type GitWords } from './words.ts';

export type Resolved = GitWords | { readonly shell: string } | null;

/** Resolves one level, which is as deep as people nest them. Null: there is no such alias. `shell`: text for a shell. */
export function resolveAlias(words: GitWords, git: Git): Resolved {
  const { command } = words;
  if (command === null || !/^[A-Za-z0-9-]+$/.test(command)) return null;
  const key = `alias.${command}`.toLowerCase();
  const own = words.settings.findLast((one) => one.toLowerCase().startsWith(`${key}=`));
  const text = (own?.slice(key.length + 1) ?? git('config', '--get', key))?.trim();
  if (text === undefined || text === '') return null;
  // What follows `!git` could usually do without it. (Such an alias starts at the top of the checkout.)
  const plain = /^!\s*git\s+([\w\s./=@^~:-]+)$/.exec(text)?.[1];
  if (text.startsWith('!') && plain === undefined) return { shell: text.slice(1) };
  const inner = gitWords([...splitWords(plain ?? text), ...words.args], words.cwd);
  return {
    ...inner,
    git_dir: inner.git_dir ?? words.git_dir,
    work_tree: inner.work_tree ?? words.work_tree,
    settings: [...words.settings, ...inner.settings],
    pathspecs: [...words.pathspecs, ...inner.pathspecs],
  };
}

/** Splits words like git: at blanks, with both quotes, and a backslash. */
export function splitWords(text: string): readonly string[] {
  const parts = text.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/gs) ?? [];
  return parts.map((part) =>
    part.replace(
      /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs,
      (_, double?: string, single?: string, escaped?: string) =>
        double === undefined ? (single ?? escaped ?? '') : double.replace(/\\(.)/gs, '$1'),
    ),
  );
}
