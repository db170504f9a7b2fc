/** Package managers but for those of Node (packages.ts): the manifest, the lock file and the directory of what is installed. */
import type { Call, Reading, Writer } from '../call.ts';
import { MANAGERS } from './manager-rows.ts';
import type { Manager } from './manager-rows.ts';
import { options } from './options.ts';
import { rootOf } from './packages.ts';
import { joined } from './paths.ts';
import { NOTHING, file, pathOf, scope, together, unresolved, word } from './reading.ts';

const manager =
  ({ manifest, also, adds, installs, grammar = '' }: Manager): Writer =>
  (call) => {
    const given = options(
      call.args,
      `${grammar} C,directory,project,manifest-path,working-dir,d: p,package: features: group: G: python:`,
    );
    if (given.has('dry-run') || given.has('global')) return NOTHING;
    const [first, second] = given.operands.map(({ text }) => text);
    const verbs = [first ?? '', `${first ?? ''} ${second ?? ''}`];
    const changes = [
      verbs.some((it) => adds.test(it)),
      verbs.some((it) => adds.test(it) || installs.test(it)),
    ];
    if (changes[1] !== true) return NOTHING;
    const root = rootOf(call, manifest);
    if (root === null) return unresolved(call, 'directory');
    const names = [...(changes[0] === true ? [manifest] : []), ...also];
    return scope(
      call,
      'packages',
      names.map((it) => word(joined(root, it))),
    );
  };

/** pip writes outside of the repository, but for `--target` and downloads. */
const pip: Writer = (call) => {
  const given = options(call.args, 't,target: d,dest: r: c: e: i: w,wheel-dir: prefix: root: report: log:');
  const dirs = [...given.values('t'), ...given.values('d'), ...given.values('w')];
  return together([
    dirs.length > 0 ? scope(call, 'packages', dirs) : NOTHING,
    ...given.values('report').map((it) => file(call, it, 'write')),
  ]);
};

const pipCompile: Writer = (call) => {
  const given = options(call.args, 'o,output-file: P: extra:');
  const [from] = given.operands;
  if (given.has('dry-run') || given.has('n')) return NOTHING;
  const usual =
    from?.text == null ? 'requirements.txt' : `${from.text.replace(/\.(?:in|toml|py|cfg)$/, '')}.txt`;
  return file(
    call,
    given.value('o') ?? word(from?.text?.endsWith('.in') === true ? usual : 'requirements.txt'),
    'write',
  );
};

const uv: Writer = (call) => {
  const [verb, what, ...rest] = call.args;
  if (verb?.text !== 'pip') return uvProject(call);
  return what?.text === 'compile' ? uvCompile(call, rest) : NOTHING;
};
const uvProject = manager(MANAGERS.uv as Manager);

function uvCompile(call: Call, args: Call['args']): Reading {
  const out = options(args, 'o,output-file: p:').value('o');
  return out === undefined ? NOTHING : file(call, out, 'write');
}

/** `dotnet add PROJECT package NAME`. */
const dotnetPackages: Writer = (call) => {
  const words = call.args.map(({ text }) => text ?? '');
  const project = call.args.find(({ text }) => /\.(?:cs|fs|vb)proj$|\.slnx?$/.test(text ?? ''));
  if (!/^(?:add|remove|sln)$/.test(words[0] ?? '')) return NOTHING;
  if (project !== undefined && pathOf(call, project) !== null) return file(call, project, 'edit');
  return scope(call, 'packages', [word('*.csproj')]);
};

export const PACKAGES: Readonly<Record<string, Writer>> = {
  ...Object.fromEntries(Object.entries(MANAGERS).map(([name, it]) => [name, manager(it)])),
  ...{ uv, pip, pip3: pip, 'pip-compile': pipCompile, dotnet: dotnetPackages },
};
