/** How each formatter is made to write. */
import type { Style } from './options.ts';

export interface FormatterForm {
  /** Words that must come first. */
  readonly verb?: string;
  /** Options with a value, in addition to the common ones. */
  readonly grammar?: string;
  /** It writes only with one of these; undefined: always. */
  readonly when?: string;
  /** It writes nothing with one of these, in addition to the common ones. */
  readonly dry?: string;
  /** The default if no path is given; undefined: nothing, or standard input. */
  readonly usual?: string;
  /** The files that it processes in a directory; empty: any. */
  readonly extensions?: string;
  /** The number of operands that are not paths. */
  readonly skip?: number;
  readonly style?: Style;
  /** Only the words after this option are paths, up to the next option. */
  readonly list?: string;
}

const JS = 'js jsx ts tsx mjs cjs mts cts vue svelte astro json';
const C = 'c h cc cpp hpp cxx hxx m mm';

export const FORMATTER_FORMS: Readonly<Record<string, readonly FormatterForm[]>> = {
  prettier: [{ when: 'write w', dry: 'c l find-config-path file-info support-info' }],
  prettierd: [{ dry: '' }],
  eslint: [{ when: 'fix', grammar: 'c: f: o: c,config:', extensions: JS, usual: '.' }],
  eslint_d: [{ when: 'fix', grammar: 'c: f: o:', extensions: JS }],
  oxlint: [{ when: 'fix fix-suggestions', grammar: 'c: f: A: D: W:', extensions: JS, usual: '.' }],
  oxfmt: [{ usual: '.', extensions: JS }],
  standard: [{ when: 'fix', extensions: JS, usual: '.' }],
  xo: [{ when: 'fix', extensions: JS, usual: '.' }],
  tslint: [{ when: 'fix', grammar: 'p,project: c: t:', extensions: 'ts tsx', usual: '.' }],
  stylelint: [{ when: 'fix', grammar: 'f: s:' }],
  markdownlint: [{ when: 'fix f', grammar: 'c: i: p: o: r: s:', extensions: 'md' }],
  'markdownlint-cli2': [{ when: 'fix' }],
  biome: [
    { verb: 'format', when: 'write fix', usual: '.' },
    { verb: 'check', when: 'write apply apply-unsafe fix', usual: '.' },
    { verb: 'lint', when: 'write apply apply-unsafe fix', usual: '.' },
  ],
  dprint: [{ verb: 'fmt', grammar: 'c:', usual: '.' }],
  deno: [{ verb: 'fmt', usual: '.' }],
  ruff: [
    { verb: 'format', usual: '.', extensions: 'py pyi ipynb' },
    { verb: 'check', when: 'fix fix-only add-noqa', usual: '.', extensions: 'py pyi ipynb' },
  ],
  black: [
    {
      grammar: 'l: t: c,code: include: W,workers: force-exclude:',
      dry: 'c code',
      extensions: 'py pyi ipynb',
    },
  ],
  isort: [{ grammar: 'l: p: o: s,skip: sg: m: profile:', dry: 'c stdout d', extensions: 'py pyi' }],
  autopep8: [
    { when: 'i in-place', grammar: 'j: max-line-length: p: indent-size:', dry: 'd', extensions: 'py' },
  ],
  yapf: [{ when: 'i in-place', grammar: 'l: e: style:', dry: 'd', extensions: 'py' }],
  autoflake: [{ when: 'i in-place', grammar: 'imports: j:', dry: 'c', extensions: 'py' }],
  pyupgrade: [{ extensions: 'py' }],
  docformatter: [{ when: 'i in-place', extensions: 'py' }],
  djlint: [{ when: 'reformat', grammar: 'e: i:', usual: '.' }],
  sqlfluff: [
    { verb: 'fix', grammar: 'd,dialect: e: r: t:', extensions: 'sql', usual: '.' },
    { verb: 'format', grammar: 'd,dialect:', extensions: 'sql', usual: '.' },
  ],
  gofmt: [{ when: 'w', grammar: 'r:', dry: 'l d', style: 'words', extensions: 'go' }],
  gofumpt: [{ when: 'w', dry: 'l d', style: 'words', extensions: 'go' }],
  goimports: [{ when: 'w', grammar: 'local: srcdir:', dry: 'd', style: 'words', extensions: 'go' }],
  gci: [{ verb: 'write', grammar: 's,section:', extensions: 'go' }],
  'golangci-lint': [
    { verb: 'run', when: 'fix', usual: '.', grammar: 'c: E,enable: D,disable:', extensions: 'go' },
    { verb: 'fmt', usual: '.', extensions: 'go' },
  ],
  rustfmt: [{ grammar: 'edition: emit: color: l', dry: 'emit l' }],
  cargo: [
    { verb: 'fmt', usual: '.', extensions: 'rs', grammar: 'p,package: manifest-path:' },
    { verb: 'fix', usual: '.', extensions: 'rs', grammar: 'p,package: manifest-path: features:' },
    {
      verb: 'clippy',
      when: 'fix',
      usual: '.',
      extensions: 'rs',
      grammar: 'p,package: manifest-path: features:',
    },
  ],
  'clang-format': [
    { when: 'i', grammar: 'style: lines: offset: length: assume-filename:', dry: 'n', extensions: C },
  ],
  'clang-tidy': [{ when: 'fix fix-errors', grammar: 'p: checks:', style: 'words', extensions: C }],
  'cmake-format': [{ when: 'i in-place', grammar: 'c: o:' }],
  uncrustify: [{ when: 'replace no-backup', grammar: 'c: f: o: l:' }],
  astyle: [{ extensions: C }],
  'google-java-format': [{ when: 'i r replace', dry: 'n' }],
  'swift-format': [
    { verb: 'format', when: 'i in-place', extensions: 'swift' },
    { when: 'i in-place', extensions: 'swift' },
  ],
  swiftformat: [{ grammar: 'swiftversion: rules: disable: enable: indent:', extensions: 'swift' }],
  swiftlint: [{ when: 'fix autocorrect', usual: '.', extensions: 'swift' }],
  ktlint: [{ when: 'F format', usual: '.', extensions: 'kt kts' }],
  ktfmt: [{ dry: 'n', extensions: 'kt kts' }],
  stylua: [{ grammar: 'f: g,glob:', dry: 'c', extensions: 'lua luau' }],
  'lua-format': [{ when: 'i in-place', grammar: 'c:' }],
  shfmt: [{ when: 'w write', grammar: 'i,indent: ln,language-dialect:', dry: 'd l', extensions: 'sh bash' }],
  shellharden: [{ when: 'replace' }],
  terraform: [{ verb: 'fmt', dry: 'check', style: 'words', usual: '.', extensions: 'tf tfvars' }],
  tofu: [{ verb: 'fmt', dry: 'check', style: 'words', usual: '.', extensions: 'tf tfvars' }],
  terragrunt: [{ verb: 'hclfmt', usual: '.', extensions: 'hcl' }],
  packer: [{ verb: 'fmt', usual: '.', style: 'words', extensions: 'hcl' }],
  taplo: [
    { verb: 'fmt', usual: '.', grammar: 'c: o:', extensions: 'toml' },
    { verb: 'format', usual: '.', grammar: 'c: o:', extensions: 'toml' },
  ],
  yamlfmt: [{ grammar: 'conf:', dry: 'lint dry', usual: '.', style: 'words', extensions: 'yaml yml' }],
  nixfmt: [{ dry: 'c', extensions: 'nix' }],
  alejandra: [{ dry: 'c', extensions: 'nix' }],
  'nixpkgs-fmt': [{ extensions: 'nix' }],
  treefmt: [{ usual: '.', dry: 'fail-on-change' }],
  mix: [{ verb: 'format', dry: 'check-formatted', usual: '.', extensions: 'ex exs' }],
  dart: [
    { verb: 'format', grammar: 'o,output: l:', dry: 'output', extensions: 'dart' },
    { verb: 'fix', when: 'apply', usual: '.', extensions: 'dart' },
  ],
  flutter: [{ verb: 'format', extensions: 'dart' }],
  buf: [{ verb: 'format', when: 'w write', dry: 'd', usual: '.', extensions: 'proto' }],
  rubocop: [
    {
      when: 'a A x autocorrect autocorrect-all auto-correct auto-correct-all fix-layout',
      grammar: 'c: f: o: r:',
      usual: '.',
      extensions: 'rb rake',
    },
  ],
  standardrb: [{ when: 'fix', usual: '.', extensions: 'rb' }],
  rufo: [{ dry: 'c', usual: '.', extensions: 'rb' }],
  'php-cs-fixer': [{ verb: 'fix', grammar: 'rules: cache-file:', usual: '.', extensions: 'php' }],
  pint: [{ dry: 'test', usual: '.', extensions: 'php' }],
  phpcbf: [{ grammar: 'd:', usual: '.', extensions: 'php' }],
  rector: [{ verb: 'process', dry: 'n', usual: '.', extensions: 'php' }],
  scalafmt: [{ dry: 'test', usual: '.', extensions: 'scala sbt' }],
  csharpier: [{ usual: '.', extensions: 'cs' }],
  dotnet: [{ verb: 'format', dry: 'verify-no-changes', usual: '.', extensions: 'cs vb' }],
  ormolu: [{ when: 'i inplace', grammar: 'm,mode:' }],
  fourmolu: [{ when: 'i inplace', grammar: 'm,mode:', extensions: 'hs' }],
  'elm-format': [{ when: 'yes', dry: 'validate', grammar: 'output:', extensions: 'elm' }],
  gleam: [{ verb: 'format', usual: '.', extensions: 'gleam' }],
  zig: [{ verb: 'fmt', extensions: 'zig' }],
  crystal: [{ verb: 'tool format', usual: '.', extensions: 'cr' }],
  perltidy: [{ when: 'b', style: 'words' }],
  latexindent: [{ when: 'w overwrite wd', grammar: 'l? o: c:' }],
  buildifier: [{ dry: 'mode', grammar: 'mode: type:', extensions: 'bzl bazel' }],
  jsonnetfmt: [{ when: 'i in-place' }],
  prisma: [{ verb: 'format', usual: 'prisma/schema.prisma' }],
  // Otherwise they process staged files, which belong to the agent itself.
  'pre-commit': [
    { verb: 'run', when: 'a all-files', usual: '.', skip: 99 },
    { verb: 'run', list: 'files' },
  ],
  prek: [
    { verb: 'run', when: 'a all-files', usual: '.', skip: 99 },
    { verb: 'run', list: 'files' },
  ],
  trunk: [{ verb: 'fmt', usual: '.' }],
  codespell: [{ when: 'w write-changes', grammar: 'L: S: I: D:', usual: '.' }],
  typos: [{ when: 'w write-changes', usual: '.' }],
  jscodeshift: [{ grammar: 't,transform: extensions:', dry: 'd dry', extensions: JS }],
  comby: [{ when: 'i in-place', grammar: 'd: f: matcher:', skip: 2, usual: '.' }],
  'ast-grep': [{ when: 'U update-all', grammar: 'p,pattern: r,rewrite: l,lang: c:', usual: '.' }],
  sg: [{ when: 'U update-all', grammar: 'p,pattern: r,rewrite: l,lang: c:', usual: '.' }],
  fastmod: [{ when: 'accept-all', grammar: 'e,extensions: d,dir: g,glob: m', skip: 2, usual: '.' }],
  ruplacer: [{ when: 'go', grammar: 't: T:', skip: 2, usual: '.' }],
};
