/** Commands that run other commands, by name. */
import { env, mounted, runsElsewhere } from './elsewhere.ts';
import { find } from './find.ts';
import { git } from './foreach-module.ts';
import { flockWrapper, sudo } from './locking.ts';
import { prefixOf, type PrefixRow } from './prefix.ts';
import { hyperfine, joinedLine, shell, su, typescript } from './shells.ts';
import type { Wrapper } from './wrapper.ts';
import { parallel, xargs } from './xargs.ts';

/** Null if it runs no other command. */
export function wrapperFor(name: string): Wrapper | null {
  if (Object.hasOwn(PREFIXES, name)) return prefixOf(PREFIXES[name] ?? NO_OPTIONS);
  return Object.hasOwn(OTHERS, name) ? (OTHERS[name] ?? null) : null;
}

const NO_OPTIONS: PrefixRow = { grammar: '' };
const BEHIND_ONE: PrefixRow = { grammar: '', skip: 1 };
const ASSIGNING: PrefixRow = { grammar: '', assigns: true };
const RUN_ONLY: PrefixRow = { grammar: '', verbs: 'run' };
const EXEC_ONLY: PrefixRow = { grammar: '', verbs: 'exec' };

const NPX =
  'p,package: c,call: y,yes no-install q,quiet w,workspace: shell: node-options: C,dir: F,filter: bun';
const TIMEOUT = 'k,kill-after: s,signal: f,foreground p,preserve-status v,verbose';
const STDBUF = 'i,input: o,output: e,error:';
const TIME = 'o,output: f,format: a p v';
const EXEC = 'exec x dlx';

const PREFIXES: Readonly<Record<string, PrefixRow>> = {
  ...{ nohup: NO_OPTIONS, setsid: NO_OPTIONS, chronic: NO_OPTIONS, unbuffer: NO_OPTIONS },
  ...{ busybox: NO_OPTIONS, valgrind: NO_OPTIONS, arch: NO_OPTIONS, 'dbus-run-session': NO_OPTIONS },
  ...{ 'su-exec': BEHIND_ONE, gosu: BEHIND_ONE, 'cross-env': ASSIGNING, 'cross-env-shell': ASSIGNING },
  ...{ pipenv: RUN_ONLY, pdm: RUN_ONLY, rye: RUN_ONLY, hatch: RUN_ONLY },
  ...{ bundle: EXEC_ONLY, rbenv: EXEC_ONLY, pyenv: EXEC_ONLY, asdf: EXEC_ONLY },
  nice: { grammar: 'n,adjustment:' },
  ionice: { grammar: 'c,class: n,classdata: p: t' },
  chrt: { grammar: 'p: T: P: D:', skip: 1 },
  taskset: { grammar: 'p c a', skip: 1 },
  timeout: { grammar: TIMEOUT, skip: 1 },
  gtimeout: { grammar: TIMEOUT, skip: 1 },
  stdbuf: { grammar: STDBUF },
  gstdbuf: { grammar: STDBUF },
  time: { grammar: TIME, log: 'o' },
  gtime: { grammar: TIME, log: 'o' },
  strace: { grammar: 'o: e: p: s: f E: u: a: b: I: O: P: S: X:', log: 'o' },
  ltrace: { grammar: 'o: e: p: s: f u: n: l:', log: 'o' },
  caffeinate: { grammar: 't: w: d i m s u' },
  'xvfb-run': { grammar: 'a e: f: n: p: s: l w:' },
  xcrun: { grammar: 'sdk: toolchain: l n' },
  entr: { grammar: 'a c d n p r s z' },
  npx: { grammar: NPX, line: 'c', is_tool: true },
  bunx: { grammar: NPX, is_tool: true },
  pnpx: { grammar: NPX, is_tool: true },
  uvx: { grammar: 'from: with: p,python: q', is_tool: true },
  pipx: { grammar: 'spec: python:', verbs: 'run', is_tool: true },
  npm: { grammar: NPX, line: 'c', verbs: EXEC, is_tool: true },
  pnpm: { grammar: NPX, dir: 'C', verbs: EXEC, is_tool: true },
  yarn: { grammar: `${NPX} cwd:`, dir: 'cwd', verbs: EXEC, is_tool: true },
  bun: { grammar: NPX, verbs: 'x', is_tool: true },
  uv: {
    grammar: 'with: p,python: group: extra: package: directory: project: env-file: m,module: q',
    dir: 'directory',
    verbs: 'run',
  },
  poetry: { grammar: 'C,directory: P:', dir: 'C', verbs: 'run' },
  conda: { grammar: 'n,name: p,prefix: cwd:', dir: 'cwd', verbs: 'run' },
  mise: { grammar: 'C,cd: c,command: j:', line: 'c', verbs: 'exec x' },
  direnv: { grammar: '', skip: 1, verbs: 'exec' },
  volta: { grammar: 'node:', verbs: 'run' },
  fnm: { grammar: 'using:', verbs: 'exec' },
  op: { grammar: 'env-file: account:', verbs: 'run' },
  doppler: { grammar: 'p: c:', verbs: 'run' },
  dotenv: { grammar: 'e: p: v: c?' },
  dotenvx: { grammar: 'f: e:', verbs: 'run' },
  nix: { grammar: 'c,command!', verbs: 'develop shell' },
  'nix-shell': { grammar: 'p: run: command: A: I:', line: 'run' },
};

const OTHERS: Readonly<Record<string, Wrapper>> = {
  ...{ sudo, doas: sudo, env, flock: flockWrapper, xargs, gxargs: xargs, parallel, find, gfind: find },
  ...{ bash: shell, sh: shell, zsh: shell, dash: shell, ksh: shell, ash: shell, rbash: shell, mksh: shell },
  ...{ su, runuser: su, script: typescript, hyperfine, git },
  watch: joinedLine('n,interval: d? g t b e c x q: r p w'),
  // Another machine, with other disks.
  ...{ ssh: runsElsewhere, mosh: runsElsewhere, kubectl: runsElsewhere, chroot: runsElsewhere },
  ...{ docker: mounted, podman: mounted, nerdctl: mounted },
};
