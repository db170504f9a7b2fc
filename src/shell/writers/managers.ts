/** Package managers other than Node's (packages.ts): the manifest, the lock file and the directory of installed packages. */
import type { Writer } from '../call.ts';
import { optionNames, options } from './options.ts';
import { rootOf } from './packages.ts';
import { joined } from '../path.ts';
import { NOTHING, file, files, pathOf, scope, together, unresolved, word, asWords } from './reading.ts';

/** `adds` also change the manifest, `installs` only the rest. Both list words, pairs (`pub/get`) and words with any ending (`add-*`). */
interface Manager {
  /** The manifest first. */
  readonly files: string;
  readonly adds: string;
  readonly installs: string;
}

const PUBSPEC: Manager = {
  files: 'pubspec.yaml pubspec.lock',
  adds: 'pub/add pub/remove',
  installs: 'pub/get pub/upgrade',
};

const MANAGERS = {
  poetry: { files: 'pyproject.toml poetry.lock', adds: 'add remove version init', installs: 'lock update' },
  uv: { files: 'pyproject.toml uv.lock .venv', adds: 'add remove init version', installs: 'lock sync' },
  pdm: { files: 'pyproject.toml pdm.lock', adds: 'add remove init', installs: 'lock update install sync' },
  pipenv: { files: 'Pipfile Pipfile.lock', adds: 'install uninstall', installs: 'lock update sync' },
  cargo: {
    files: 'Cargo.toml Cargo.lock target',
    adds: 'add remove rm init',
    installs: 'update generate-lockfile build b test t run r check c clippy doc bench nextest',
  },
  bundle: {
    files: 'Gemfile Gemfile.lock vendor/bundle',
    adds: 'add remove init',
    installs: 'install update lock',
  },
  composer: {
    files: 'composer.json composer.lock vendor',
    adds: 'require remove init config',
    installs: 'install i update u upgrade dump-autoload',
  },
  pod: { files: 'Podfile Podfile.lock Pods', adds: 'init', installs: 'install update' },
  flutter: PUBSPEC,
  dart: PUBSPEC,
  mix: { files: 'mix.exs mix.lock deps', adds: '', installs: 'deps.get deps.update deps.unlock deps.clean' },
  swift: {
    files: 'Package.swift Package.resolved .build',
    adds: 'package/init package/add-*',
    installs: 'build test run package/update package/resolve',
  },
} as const satisfies Readonly<Record<string, Manager>>;

const isVerb = (verb: string, first: string, second: string): boolean =>
  verb.endsWith('*')
    ? `${first}/${second}`.startsWith(verb.slice(0, -1))
    : verb === first || verb === `${first}/${second}`;

const MANAGER_GRAMMAR =
  'C,directory,project,manifest-path,working-dir,d: p,package: features: group: G: python:';

const manager =
  ({ files, adds, installs }: Manager): Writer =>
  (call) => {
    const given = options(call.args, MANAGER_GRAMMAR);
    if (given.has('dry-run', 'global')) return NOTHING;
    const [first = '', second = ''] = given.operands.map(({ text }) => text ?? '');
    const isAny = (verbs: string): boolean => optionNames(verbs).some((it) => isVerb(it, first, second));
    const changes_manifest = isAny(adds);
    if (!changes_manifest && !isAny(installs)) return NOTHING;
    const [manifest = '', ...also] = files.split(' ');
    const root = rootOf(call, manifest);
    if (root === null) return unresolved(call, 'directory');
    const names = changes_manifest ? [manifest, ...also] : also;
    return scope(call, 'packages', asWords(names.map((it) => joined(root, it))));
  };

/** pip writes outside the repository, except for `--target` and downloads. */
const pip: Writer = (call) => {
  const given = options(call.args, 't,target: d,dest: r: c: e: i: w,wheel-dir: prefix: root: report: log:');
  const dirs = [...given.values('t'), ...given.values('d'), ...given.values('w')];
  return together([
    dirs.length > 0 ? scope(call, 'packages', dirs) : NOTHING,
    files(call, given.values('report'), 'write'),
  ]);
};

const pipCompile: Writer = (call) => {
  const given = options(call.args, 'o,output-file: P: extra:');
  const [from] = given.operands;
  if (given.has('dry-run', 'n')) return NOTHING;
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
  return what?.text === 'compile'
    ? file(call, options(rest, 'o,output-file: p:').value('o'), 'write')
    : NOTHING;
};
const uvProject = manager(MANAGERS.uv);

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
