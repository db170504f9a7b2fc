/**
 * Which commands each family of writers knows, so that no family is loaded only to find that it does not know one. The families'
 * own tables say what the commands do; a test keeps both consistent.
 */
import { wordList, type WordList } from '../../core/word-list.ts';

const NAMES = {
  coreutils: `cp gcp mv gmv install ginstall ln gln link rm grm rmdir unlink shred trash trash-put gio-trash truncate touch gtouch
    mkdir mkfifo mknod chmod chown chgrp tee sponge dd split gsplit csplit rename prename file-rename`,
  editors: `sed gsed awk gawk mawk nawk patch gpatch ed red ex vi vim nvim vimdiff dos2unix unix2dos mac2unix unix2mac yq sd rpl
    crudini xmlstarlet xml indent plutil`,
  archives: `tar gtar bsdtar unzip zip 7z 7za 7zz 7zr cpio ar jar`,
  compressors: `gzip pigz gunzip unpigz bzip2 pbzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 unlz4 brotli compress uncompress`,
  transfers: `rsync scp curl wget aria2c http https xh xhs`,
  outputs: `sort uniq shuf iconv xxd base64 ctags etags pandoc rustc ld nasm strip objcopy openssl gpg age jo xmllint xsltproc
    wkhtmltopdf rsvg-convert mmdc plantuml pg_dump mysqldump terser uglifyjs svgo sass tailwindcss jsdoc typedoc qpdf
    pdftotext sox dot neato fdp circo twopi sfdp ffmpeg convert magick mogrify ssh-keygen sqlite3 sqlite`,
  compilers: `gcc cc g++ c++ clang clang++ tcc gfortran tsc esbuild go rollup cmake ninja vite webpack parcel tsup tsdown unbuild
    next nuxt nuxi astro vue-cli-service react-scripts ng swc babel mvn gradle mvnw gradlew mkdocs hugo`,
  formatters: `prettier prettierd eslint eslint_d oxlint oxfmt standard xo tslint stylelint markdownlint markdownlint-cli2 biome
    dprint deno ruff black isort autopep8 yapf autoflake pyupgrade docformatter djlint sqlfluff gofmt gofumpt goimports
    gci golangci-lint rustfmt cargo clang-format clang-tidy cmake-format uncrustify astyle google-java-format swift-format
    swiftformat swiftlint ktlint ktfmt stylua lua-format shfmt shellharden terraform tofu terragrunt packer taplo yamlfmt
    nixfmt alejandra nixpkgs-fmt treefmt mix dart flutter buf rubocop standardrb rufo php-cs-fixer pint phpcbf rector
    scalafmt csharpier dotnet ormolu fourmolu elm-format gleam zig crystal perltidy latexindent buildifier jsonnetfmt
    prisma pre-commit prek trunk codespell typos jscodeshift comby ast-grep sg fastmod ruplacer`,
  packages: `poetry uv pdm pipenv cargo bundle composer pod flutter dart mix swift pip pip3 pip-compile dotnet`,
  scopes: `buf sqlc graphql-codegen prisma drizzle-kit openapi-generator openapi-generator-cli swagger-codegen alembic
    django-admin rails rake ng nest jest vitest playwright insta changeset standard-version cargo-insta helm terraform
    tofu plop protoc mockgen`,
  interpreters: `python python2 python3 pypy pypy3 node nodejs tsx ts-node deno perl ruby`,
  tasks: `npm pnpm yarn bun yarnpkg npm-run-all run-s run-p concurrently make gmake just mise task go-task`,
} as const;

export type FamilyName = keyof typeof NAMES;

/** The commands of one family. */
export const namesOf = (family: FamilyName): WordList => wordList(NAMES[family]);
