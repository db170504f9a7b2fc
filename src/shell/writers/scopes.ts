/** Generators, of whose output only the place is known. */
import type { Argument, Call, Reading, Writer } from '../call.ts';
import { optionNames, options } from './options.ts';
import { NOTHING, file, files, allForms, reworded, scope, together, word, asWords } from './reading.ts';

interface Generator {
  /** The first words must match; undefined: always. */
  readonly verb?: RegExp;
  readonly grammar?: string;
  /** Options that name the place. */
  readonly dirs?: string;
  /** The default places. */
  readonly usual: readonly string[];
  /** With one of these, nothing is written. */
  readonly dry?: string;
  /** It writes only with one of these. */
  readonly when?: string;
}

const SNAPSHOTS = ['**/__snapshots__/**', '**/*.snap'];
const RAILS = ['app', 'config', 'db', 'lib', 'test', 'spec'];

const OPENAPI: readonly Generator[] = [
  {
    verb: /^generate\b/,
    grammar: 'o,output: i,input-spec: g,generator-name: c: t: p:',
    dirs: 'o',
    usual: ['.'],
    dry: 'dry-run',
  },
];

const GENERATORS: Readonly<Record<string, readonly Generator[]>> = {
  buf: [{ verb: /^generate\b/, grammar: 'o,output: template: path:', dirs: 'o', usual: ['gen'] }],
  sqlc: [
    {
      verb: /^generate\b/,
      grammar: 'f,file:',
      usual: ['**/*.sql.go', '**/db.go', '**/models.go', '**/querier.go'],
    },
  ],
  'graphql-codegen': [
    {
      grammar: 'c,config: p,project:',
      usual: ['**/generated/**', '**/__generated__/**', '**/gql/**', '**/*.generated.*', '**/generated.*'],
      dry: 'check',
    },
  ],
  prisma: [
    {
      verb: /^generate\b/,
      grammar: 'schema:',
      usual: ['node_modules/.prisma', 'node_modules/@prisma', 'generated', '**/generated/**'],
    },
    { verb: /^migrate (?:dev|diff)\b/, grammar: 'name: n: schema:', usual: ['prisma/migrations'] },
    { verb: /^db pull\b/, usual: ['prisma/schema.prisma'], dry: 'print' },
    { verb: /^init\b/, usual: ['prisma', '.env'] },
  ],
  'drizzle-kit': [
    {
      verb: /^(?:generate|pull|introspect)\b/,
      grammar: 'out: config: schema: name:',
      dirs: 'out',
      usual: ['drizzle'],
    },
  ],
  ...{ 'openapi-generator': OPENAPI, 'openapi-generator-cli': OPENAPI },
  'swagger-codegen': [{ verb: /^generate\b/, grammar: 'o,output: i: l:', dirs: 'o', usual: ['.'] }],
  alembic: [
    { verb: /^(?:revision|merge)\b/, grammar: 'm,message: c,config: rev-id:', usual: ['**/versions/*.py'] },
  ],
  'django-admin': [
    { verb: /^(?:makemigrations|squashmigrations)\b/, usual: ['**/migrations/*.py'], dry: 'dry-run check' },
  ],
  rails: [
    { verb: /^(?:g|generate|d|destroy)\b/, usual: RAILS, dry: 'p pretend' },
    {
      verb: /^db:(?:migrate|rollback|schema:dump|setup|reset)\b/,
      usual: ['db/schema.rb', 'db/structure.sql'],
    },
  ],
  rake: [{ verb: /^db:(?:migrate|rollback|schema:dump)\b/, usual: ['db/schema.rb', 'db/structure.sql'] }],
  ng: [
    {
      verb: /^(?:g|generate|add|update)\b/,
      usual: ['src', 'projects', 'angular.json', 'package.json'],
      dry: 'd dry-run',
    },
  ],
  nest: [{ verb: /^(?:g|generate)\b/, usual: ['src'], dry: 'd dry-run' }],
  jest: [{ when: 'u updateSnapshot', usual: SNAPSHOTS }],
  vitest: [{ when: 'u update', usual: SNAPSHOTS }],
  playwright: [{ verb: /^test\b/, when: 'u update-snapshots', usual: ['**/*-snapshots/**'] }],
  insta: [{ verb: /^(?:accept|review)\b/, usual: ['**/*.snap'] }],
  changeset: [{ verb: /^version\b/, usual: ['.changeset', '**/package.json', '**/CHANGELOG.md'] }],
  'standard-version': [{ usual: ['package.json', 'package-lock.json', 'CHANGELOG.md'], dry: 'dry-run' }],
  'cargo-insta': [{ usual: ['**/*.snap'] }],
  helm: [{ verb: /^(?:dependency|dep) (?:update|build)\b/, usual: ['charts', 'Chart.lock'] }],
  terraform: [
    { verb: /^init\b/, usual: ['.terraform', '.terraform.lock.hcl'] },
    { verb: /^apply\b/, usual: ['terraform.tfstate', 'terraform.tfstate.backup'] },
  ],
  tofu: [{ verb: /^init\b/, usual: ['.terraform', '.terraform.lock.hcl'] }],
  plop: [{ usual: ['src'] }],
};

const generated =
  (form: Generator): Writer =>
  (call) => {
    const given = options(call.args, form.grammar ?? '');
    const verbs = given.operands.map(({ text }) => text ?? '').join(' ');
    if (form.verb !== undefined && !form.verb.test(verbs)) return NOTHING;
    if (given.has(...optionNames(form.dry))) return NOTHING;
    if (form.when !== undefined && !given.has(...optionNames(form.when))) return NOTHING;
    const dirs = optionNames(form.dirs).flatMap((it) => given.values(it));
    return scope(call, 'generator', dirs.length > 0 ? dirs : asWords(form.usual));
  };

/** `--go_out=DIR`, `--python_out=opts:DIR`. */
const protoc: Writer = (call) => {
  const outs = call.args.flatMap((it, nth) => {
    const [, value] = /^--\w+_out(?:=(.*))?$/s.exec(it.text ?? '') ?? [null];
    if (value === null) return [];
    return value === undefined ? call.args.slice(nth + 1, nth + 2) : [{ ...it, text: value }];
  });
  const set = options(call.args, 'o,descriptor_set_out: I,proto_path:').value('o');
  const places = outs.map((it) => reworded(it, (text) => text.replace(/^[^/]*:/, '') || '.'));
  return together([scope(call, 'generator', places), file(call, set, 'write')]);
};

const MOCKGEN = 'destination: source: package: self_package: mock_names:';
const mockgen: Writer = (call) =>
  files(call, options(call.args, MOCKGEN, 'words').values('destination'), 'write');

/** `manage.py` and similar, by the verb: the program's text does not show it. */
export function djangoMigrations(call: Call, args: readonly Argument[]): Reading | null {
  const [verb] = args;
  if (verb?.text !== 'makemigrations' && verb?.text !== 'squashmigrations') return null;
  const is_dry = args.some(({ text }) => text === '--dry-run' || text === '--check');
  return is_dry ? NOTHING : scope(call, 'generator', [word('**/migrations/*.py')]);
}

export const SCOPE_WRITERS: Readonly<Record<string, Writer>> = {
  ...Object.fromEntries(
    Object.entries(GENERATORS).map(([name, forms]) => [name, allForms(forms.map(generated))]),
  ),
  ...{ protoc, mockgen },
};
