/**
 * The repository in which the commands of the shell corpora run and are checked: small, real git, in one of five
 * states. A command's `{{root}}`, `{{tmp}}` and `{{home}}` are replaced by its directories.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { COMMITTED, FEATURE, FOREIGN, IGNORED, UPSTREAM } from './files.ts';

/**
 * `dirty`: another agent's uncommitted work; `person`: a person's; `worktree`: a linked worktree, with another agent's
 * work in the main one; `sub`: another agent's work in `packages/api`, where the command starts.
 */
export type Variant = keyof typeof FOREIGN;

export const VARIANTS = Object.keys(FOREIGN) as readonly Variant[];

/** Path of the linked worktree of variant `worktree`, relative to the root, where the client would create it. */
export const SIDE = '.claude/worktrees/side';

export interface Places {
  readonly root: string;
  readonly home: string;
  /** A directory outside the repository, with archives, patches and modified copies of its directories. */
  readonly tmp: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Wanted {
  readonly variant: Variant;
  /** Files with uncommitted changes of the caller; missing ones are created. */
  readonly own: readonly string[];
  /** A node_modules directory that contains prettier, linked into the repository. */
  readonly packages: string;
}

/** Uncommitted work of others in the tree, relative to the root. */
export const foreignIn = (variant: Variant): readonly string[] => Object.keys(FOREIGN[variant]);

export const placesIn = (base: string): Places => ({
  root: join(base, 'repo'),
  home: join(base, 'home'),
  tmp: join(base, 'outside'),
  env: {
    PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    HOME: join(base, 'home'),
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_EDITOR: 'true',
    npm_config_update_notifier: 'false',
    npm_config_offline: 'true',
  },
});

/** Creates it in `base`, which must be empty. Commit hashes are the same every time. */
export function makeFixture(base: string, { variant, own, packages }: Wanted): Places {
  const places = makeShop(base, packages);
  vary(places, variant);
  changeOwn(places, own);
  return places;
}

/** What all variants have in common. */
function makeShop(base: string, packages: string): Places {
  const places = placesIn(base);
  for (const dir of [places.root, places.home, places.tmp]) fs.mkdirSync(dir, { recursive: true });
  history(places);
  outside(places);
  put(places.root, IGNORED);
  fs.mkdirSync(join(places.root, 'node_modules/.bin'), { recursive: true });
  fs.symlinkSync(join(packages, 'prettier'), join(places.root, 'node_modules/prettier'));
  fs.symlinkSync('../prettier/bin/prettier.cjs', join(places.root, 'node_modules/.bin/prettier'));
  return places;
}

function vary(places: Places, variant: Variant): void {
  if (variant === 'worktree') git(places, 'worktree', 'add', '-q', '-b', 'side', SIDE);
  put(places.root, FOREIGN[variant]);
}

/** A worktree refers to its repository by absolute paths, so each copy goes where the first one was made. */
export class Copies {
  readonly #dir: string;
  readonly #packages: string;

  /** @param dir empty, and used by nothing else */
  constructor(dir: string, packages: string) {
    this.#dir = dir;
    this.#packages = packages;
  }

  /** What `makeFixture` creates without the caller's changes; replaces the previous copy. */
  fresh(variant: Variant): Places {
    const [shop, kept, live] = ['shop', `kept-${variant}`, 'live'].map((name) => join(this.#dir, name)) as [
      string,
      string,
      string,
    ];
    fs.rmSync(live, { recursive: true, force: true });
    if (!fs.existsSync(shop)) {
      makeShop(live, this.#packages);
      fs.renameSync(live, shop);
    }
    if (!fs.existsSync(kept)) {
      execFileSync('cp', ['-a', shop, live]);
      vary(placesIn(live), variant);
      fs.renameSync(live, kept);
    }
    execFileSync('cp', ['-a', kept, live]);
    const places = placesIn(live);
    // A copy has new inodes, so git would consider each file changed and write it again.
    for (const dir of variant === 'worktree' ? ['.', SIDE] : ['.'])
      execFileSync('git', ['status', '--short'], { cwd: join(places.root, dir), env: places.env });
    return places;
  }
}

/** Adds the caller's uncommitted work. */
export function changeOwn({ root }: Places, own: readonly string[]): void {
  for (const file of own) {
    fs.mkdirSync(dirname(join(root, file)), { recursive: true });
    fs.appendFileSync(join(root, file), '\n// of my own\n');
  }
}

/** A command with the placeholders replaced by a fixture's directories. */
export const inPlaces = (command: string, { root, tmp, home }: Places): string =>
  command.replaceAll('{{root}}', root).replaceAll('{{tmp}}', tmp).replaceAll('{{home}}', home);

function history(places: Places): void {
  const { root } = places;
  fs.writeFileSync(join(places.home, '.gitconfig'), '[user]\n\tname = Dev\n\temail = dev@example.com\n');
  git(places, 'init', '-q', '-b', 'main', '--template=');
  for (const [key, value] of Object.entries(SETTINGS)) git(places, 'config', key, value);
  put(root, COMMITTED);
  for (const name of ['clean.sh', 'header.sh', 'sync-docs.sh'])
    fs.chmodSync(join(root, 'scripts', name), 0o755);
  commit(places, 'The shop');
  git(places, 'tag', 'v1.0.0');
  put(root, {
    'CHANGELOG.md': `${COMMITTED['CHANGELOG.md'] ?? ''}\n## 1.0.0\n\n- first\n`,
    'docs/faq.md': '# FAQ\n',
  });
  commit(places, 'Say what 1.0.0 was');
  git(places, 'branch', 'legacy', 'v1.0.0');
  put(root, { 'docs/faq.md': COMMITTED['docs/faq.md'] ?? '' });
  commit(places, 'Answer questions');
  git(places, 'checkout', '-q', '-b', 'feature');
  put(root, FEATURE);
  fs.rmSync(join(root, 'data/users.csv'));
  commit(places, 'A feature');
  git(places, 'checkout', '-q', 'main');
  git(places, 'clone', '-q', '--bare', root, join(dirname(root), 'origin.git'));
  git(places, 'remote', 'add', 'origin', join(dirname(root), 'origin.git'));
  git(places, 'fetch', '-q', 'origin');
  git(places, 'branch', '-q', '--set-upstream-to=origin/main', 'main');
  git(places, 'checkout', '-q', '-b', 'ahead');
  put(root, UPSTREAM);
  commit(places, 'Upstream moved');
  git(places, 'push', '-q', 'origin', 'ahead:main');
  git(places, 'checkout', '-q', 'main');
  git(places, 'branch', '-q', '-D', 'ahead');
  fs.appendFileSync(join(root, 'src/util/dates.js'), 'export const year = (date) => date.getFullYear();\n');
  git(places, 'stash', 'push', '-q', '-m', 'dates');
}

const SETTINGS: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'alias.co': 'checkout',
  'alias.undo': 'reset --hard',
  'alias.save': '!git stash push --include-untracked',
  'alias.st': 'status -sb',
  'commit.gpgsign': 'false',
  'gc.auto': '0',
  'protocol.file.allow': 'always',
};

function outside(places: Places): void {
  const { root, tmp } = places;
  put(join(tmp, 'new'), {
    'docs/guide.md': '# Guide, from elsewhere\n',
    'docs/api.md': '# API, from elsewhere\n',
    'src/parser.js': 'export const parse = () => [];\n',
    'src/util/format.js': 'export const money = String;\n',
  });
  put(tmp, {
    'notes.txt': 'from outside\n',
    'list.txt': 'src/parser.js\ndocs/guide.md\n',
    'own.txt': 'data/own.txt\n',
  });
  const run = (program: string, ...args: readonly string[]): unknown =>
    execFileSync(program, args, { cwd: join(tmp, 'new'), env: places.env, stdio: 'ignore' });
  run('tar', 'czf', '../new.tar.gz', 'docs', 'src');
  run('tar', 'cf', '../parser.tar', 'src/parser.js');
  run('zip', '-qr', '../new.zip', 'docs', 'src');
  const changed = {
    'src/parser.js': (COMMITTED['src/parser.js'] ?? '').replace('LATER: quotes', 'quotes are kept'),
  };
  put(root, changed);
  fs.writeFileSync(join(tmp, 'parser.patch'), git(places, 'diff'));
  put(root, { 'src/parser.js': COMMITTED['src/parser.js'] ?? '' });
  const faq = (COMMITTED['docs/faq.md'] ?? '').replace('Because.', 'Because it helps.');
  put(root, { 'docs/faq.md': faq });
  fs.writeFileSync(join(tmp, 'faq.patch'), git(places, 'diff'));
  put(root, { 'docs/faq.md': COMMITTED['docs/faq.md'] ?? '' });
  git(places, 'format-patch', '-q', '-1', 'feature', '-o', tmp);
  git(places, 'status', '--short');
}

function put(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(dir, name)), { recursive: true });
    fs.writeFileSync(join(dir, name), text);
  }
}

function commit(places: Places, subject: string): void {
  git(places, 'add', '-A');
  git(places, 'commit', '-q', '-m', subject);
}

const DATE = '2026-01-02T03:04:05Z';

function git({ root, env }: Places, ...args: readonly string[]): string {
  const dated = { ...env, GIT_AUTHOR_DATE: DATE, GIT_COMMITTER_DATE: DATE };
  return execFileSync('git', args, {
    cwd: root,
    env: dated,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
