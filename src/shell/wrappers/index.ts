/** Commands that run other commands, by name. */
import { flockWrapper, sudo } from './locking.ts';
import { find } from './find.ts';
import { after, prefix, tool } from './prefix.ts';
import { hyperfine, joinedLine, shell, su, typescript } from './shells.ts';
import type { Wrapper } from './wrapper.ts';
import { parallel, xargs } from './xargs.ts';
import { runsElsewhere, env, mounted } from './elsewhere.ts';

const plain = prefix({ grammar: '' });
const NPX =
  'p,package: c,call: y,yes no-install q,quiet w,workspace: shell: node-options: C,dir: F,filter: bun';
const exec = /^(?:exec|x|dlx)$/;
const timeout = prefix({
  grammar: 'k,kill-after: s,signal: f,foreground p,preserve-status v,verbose',
  skip: 1,
});
const stdbuf = prefix({ grammar: 'i,input: o,output: e,error:' });

const ROWS: Readonly<Record<string, Wrapper>> = {
  ...{
    sudo,
    doas: sudo,
    env,
    nohup: plain,
    setsid: plain,
    chronic: plain,
    unbuffer: plain,
    'su-exec': prefix({ grammar: '', skip: 1 }),
  },
  gosu: prefix({ grammar: '', skip: 1 }),
  nice: prefix({ grammar: 'n,adjustment:' }),
  ionice: prefix({ grammar: 'c,class: n,classdata: p: t' }),
  chrt: prefix({ grammar: 'p: T: P: D:', skip: 1 }),
  taskset: prefix({ grammar: 'p c a', skip: 1 }),
  ...{ timeout, gtimeout: timeout, stdbuf, gstdbuf: stdbuf },
  time: prefix({ grammar: 'o,output: f,format: a p v', log: 'o' }),
  gtime: prefix({ grammar: 'o,output: f,format: a p v', log: 'o' }),
  strace: prefix({ grammar: 'o: e: p: s: f E: u: a: b: I: O: P: S: X:', log: 'o' }),
  ltrace: prefix({ grammar: 'o: e: p: s: f u: n: l:', log: 'o' }),
  valgrind: prefix({ grammar: '' }),
  caffeinate: prefix({ grammar: 't: w: d i m s u' }),
  'xvfb-run': prefix({ grammar: 'a e: f: n: p: s: l w:' }),
  arch: prefix({ grammar: '' }),
  xcrun: prefix({ grammar: 'sdk: toolchain: l n' }),
  busybox: plain,
  'dbus-run-session': plain,
  'cross-env': prefix({ grammar: '', assigns: true }),
  'cross-env-shell': prefix({ grammar: '', assigns: true }),
  ...{ flock: flockWrapper, xargs, gxargs: xargs, parallel, find, gfind: find },
  ...{ bash: shell, sh: shell, zsh: shell, dash: shell, ksh: shell, ash: shell, rbash: shell, mksh: shell },
  ...{ su, runuser: su, script: typescript, hyperfine },
  watch: joinedLine('n,interval: d? g t b e c x q: r p w'),
  entr: prefix({ grammar: 'a c d n p r s z' }),
  // Another machine, another disk.
  ...{ ssh: runsElsewhere, mosh: runsElsewhere, kubectl: runsElsewhere, chroot: runsElsewhere },
  ...{ docker: mounted, podman: mounted, nerdctl: mounted },
  npx: tool(prefix({ grammar: NPX, line: 'c' })),
  ...{
    bunx: tool(prefix({ grammar: NPX })),
    pnpx: tool(prefix({ grammar: NPX })),
    uvx: tool(prefix({ grammar: 'from: with: p,python: q' })),
  },
  pipx: tool(after(/^run$/, { grammar: 'spec: python:' })),
  ...{
    npm: tool(after(exec, { grammar: NPX, line: 'c' })),
    pnpm: tool(after(exec, { grammar: NPX, dir: 'C' })),
  },
  ...{
    yarn: tool(after(exec, { grammar: `${NPX} cwd:`, dir: 'cwd' })),
    bun: tool(after(/^x$/, { grammar: NPX })),
  },
  uv: after(/^run$/, {
    grammar: 'with: p,python: group: extra: package: directory: project: env-file: m,module: q',
    dir: 'directory',
  }),
  ...{
    poetry: after(/^run$/, { grammar: 'C,directory: P:', dir: 'C' }),
    pipenv: after(/^run$/, { grammar: '' }),
  },
  ...{
    pdm: after(/^run$/, { grammar: '' }),
    rye: after(/^run$/, { grammar: '' }),
    hatch: after(/^run$/, { grammar: '' }),
  },
  conda: after(/^run$/, { grammar: 'n,name: p,prefix: cwd:', dir: 'cwd' }),
  bundle: after(/^exec$/, { grammar: '' }),
  mise: after(/^(?:exec|x)$/, { grammar: 'C,cd: c,command: j:', line: 'c' }),
  direnv: after(/^exec$/, { grammar: '', skip: 1 }),
  ...{
    rbenv: after(/^exec$/, { grammar: '' }),
    pyenv: after(/^exec$/, { grammar: '' }),
    asdf: after(/^exec$/, { grammar: '' }),
  },
  ...{ volta: after(/^run$/, { grammar: 'node:' }), fnm: after(/^exec$/, { grammar: 'using:' }) },
  ...{ op: after(/^run$/, { grammar: 'env-file: account:' }), doppler: after(/^run$/, { grammar: 'p: c:' }) },
  ...{ dotenv: prefix({ grammar: 'e: p: v: c?' }), dotenvx: after(/^run$/, { grammar: 'f: e:' }) },
  nix: after(/^(?:develop|shell)$/, { grammar: 'c,command!' }),
  'nix-shell': prefix({ grammar: 'p: run: command: A: I:', line: 'run' }),
};

export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(Object.entries(ROWS));
