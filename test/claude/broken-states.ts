/** The states an installation can be in, with the code that breaks it and the code that repairs it. */
import fs from 'node:fs';
import { join } from 'node:path';
import { git, gitRepo, put } from '../install/scratch.ts';

export interface Place {
  readonly root: string;
  readonly home: string;
}

/** A guarded repository, and the package directory of its guard. */
interface Installed {
  readonly base: string;
  readonly program: string;
  readonly home: string;
  readonly repo: string;
}

export interface State {
  readonly name: string;
  /** The code that the launcher or the program reports, where one of them can; '' if the write passes. */
  readonly code: string;
  /** Breaks it; the result's `undo` repairs it. */
  readonly harm: () => { readonly at?: Place; readonly undo: () => void };
  /** Scopes that start the program directly report no code: the shell line denies. */
  readonly mute?: true;
}

const isRoot = process.getuid?.() === 0;

const moved = (path: string) => {
  fs.renameSync(path, `${path} aside`);
  return { undo: () => fs.renameSync(`${path} aside`, path) };
};

const STATE_DIR = 'GUARD_ERR_STATE_DIR';
export const NOT_INITIALISED = 'GUARD_ERR_NOT_INITIALISED';

export function statesOf({ base, program, home, repo }: Installed): readonly State[] {
  const state = join(repo, '.git', 'guard');
  const install = join(state, 'install.json');
  /** Another directory, with the files that a clone or an archive of the repository contains. */
  function elsewhere(name: string, make: (root: string) => void) {
    const root = join(base, name);
    make(root);
    fs.cpSync(join(repo, '.claude'), join(root, '.claude'), { recursive: true });
    return { at: { root, home }, undo: () => fs.rmSync(root, { recursive: true }) };
  }

  return [
    { name: 'healthy', code: 'NOT_LOCKED', harm: () => ({ undo: () => undefined }) },
    {
      name: 'the state directory can be written by a group',
      code: STATE_DIR,
      harm: () => {
        fs.chmodSync(state, 0o770);
        return { undo: () => fs.chmodSync(state, 0o700) };
      },
    },
    ...(isRoot
      ? [
          {
            name: 'it belongs to another user',
            code: STATE_DIR,
            harm: () => {
              fs.chownSync(state, 12_345, 12_345);
              return { undo: () => fs.chownSync(state, 0, 0) };
            },
          },
        ]
      : []),
    {
      name: 'it is a link',
      code: STATE_DIR,
      harm: () => {
        fs.renameSync(state, `${state} aside`);
        fs.symlinkSync('guard aside', state);
        return {
          undo: () => {
            fs.rmSync(state);
            fs.renameSync(`${state} aside`, state);
          },
        };
      },
    },
    { name: 'install.json is missing', code: STATE_DIR, harm: () => moved(install) },
    {
      name: 'install.json is damaged',
      code: STATE_DIR,
      harm: () => {
        const good = fs.readFileSync(install);
        fs.writeFileSync(install, good.subarray(0, 40));
        return { undo: () => fs.writeFileSync(install, good) };
      },
    },
    { name: 'the program is gone', code: NOT_INITIALISED, mute: true, harm: () => moved(program) },
    {
      name: 'the program is half there',
      code: NOT_INITIALISED,
      mute: true,
      harm: () => moved(join(program, 'dist')),
    },
    {
      name: 'an upgrade takes the program away for a moment',
      code: 'NOT_LOCKED',
      mute: true,
      harm: () => {
        const { undo } = moved(join(program, 'dist'));
        let done = false;
        const back = () => {
          if (!done) undo();
          done = true;
        };
        setTimeout(back, 30);
        return { undo: back };
      },
    },
    { name: 'the state directory was removed', code: NOT_INITIALISED, harm: () => moved(state) },
    {
      name: 'it was restored from a copy',
      code: STATE_DIR,
      harm: () => {
        const { undo } = moved(state);
        fs.cpSync(`${state} aside`, state, { recursive: true });
        fs.chmodSync(state, 0o700);
        return {
          undo: () => {
            fs.rmSync(state, { recursive: true });
            undo();
          },
        };
      },
    },
    {
      name: 'the repository is a copy (cp -r)',
      code: STATE_DIR,
      harm: () => elsewhere('copy', (root) => fs.cpSync(repo, root, { recursive: true })),
    },
    {
      name: 'an archive brought `.git/guard`',
      code: STATE_DIR,
      harm: () =>
        elsewhere('unpacked git', (root) => {
          gitRepo(root);
          fs.cpSync(state, join(root, '.git', 'guard'), { recursive: true });
          fs.chmodSync(join(root, '.git', 'guard'), 0o700);
        }),
    },
    {
      name: 'an archive brought `.guard`, without git',
      code: STATE_DIR,
      harm: () =>
        elsewhere('unpacked plain', (root) => {
          put(join(root, 'src', 'a.ts'), 'export {};\n');
          fs.cpSync(state, join(root, '.guard'), { recursive: true });
          fs.chmodSync(join(root, '.guard'), 0o700);
        }),
    },
    {
      name: 'another HOME',
      code: STATE_DIR,
      harm: () => {
        const other = join(base, 'other home');
        fs.mkdirSync(other, { recursive: true });
        return { at: { root: repo, home: other }, undo: () => undefined };
      },
    },
    {
      name: 'a clone that was never set up here',
      code: '',
      harm: () => elsewhere('clone', (root) => gitRepo(root)),
    },
    {
      name: 'a clone that carries a committed `.guard`',
      code: '',
      harm: () =>
        elsewhere('committed', (root) => {
          gitRepo(root);
          fs.cpSync(state, join(root, '.guard'), { recursive: true });
          fs.chmodSync(join(root, '.guard'), 0o700);
          put(
            join(root, '.guard', 'off.json'),
            JSON.stringify({ since_wall_ms: 0, until_wall_ms: 8.64e7, by: 'x' }),
          );
          git(root, 'add', '-f', '.guard');
          git(root, 'commit', '-qm', 'two');
        }),
    },
  ];
}
