/** How the command lines of the documents are run by documents.test.ts: what stands in for their placeholders, and which are not run there. */

/** Run by another test, which contains this text. */
export const ELSEWHERE: readonly (readonly [line: RegExp, test: string, contains: string])[] = [
  [/^npm ci && npm run demo$/, 'test/demo.test.ts', 'scripts/demo.mjs'],
  [/^npm run demo$/, 'test/demo.test.ts', 'scripts/demo.mjs'],
  [/^npm ci && npm link$/, 'test/package.test.ts', "'link'"],
  [/^npm install -g /, 'test/package.test.ts', "'install', '-g'"],
  [/^npm run binary$/, 'test/standalone/binary.ts', 'scripts/binary.mjs'],
  [/^claude plugin marketplace add /, 'test/e2e/plugin-install.test.ts', "'plugin', 'marketplace', 'add'"],
  [/^claude plugin install /, 'test/e2e/plugin-install.test.ts', "'plugin', 'install'"],
  [/^source <\(guard completion (?:ba|z)sh\)$/, 'test/cli/completion.test.ts', 'source "$1"'],
  [/^guard agent (?:draft|await|merge|discard) /, 'test/harness/life.test.ts', "'draft'"],
  [/^node scripts\/server-json\.mjs /, 'test/mcp/server-json.test.ts', 'scripts/server-json.mjs'],
  [/^guard fleet init /, 'test/docs/operate-fleet.test.ts', "'fleet', 'init'"],
  [/^git pull && guard init && guard fleet join$/, 'test/docs/operate-fleet.test.ts', "'fleet', 'join'"],
  [/^guard fleet status$/, 'test/docs/operate-fleet.test.ts', "'fleet', 'status'"],
  [/ guard init --join /, 'test/cli/commands/init.join.test.ts', "'--join'"],
  [/^guard serve --hooks$/, 'test/warm/server.test.ts', 'serve-hooks.cjs'],
  [/^guard simulate test\/fixtures\//, 'test/cli/simulate/documented.test.ts', 'guard simulate'],
];

/** Why a line is not run by any test. */
export const NOT_RUN: readonly (readonly [line: RegExp, why: string])[] = [
  [/^npm ci(?: && npm test)?$/, 'it installs this checkout and runs the suite that this test is part of'],
  [
    /^npm run (?:check|test:e2e|bench|bench:shell)$|^\.ci\/run$/,
    'it runs the suites and benchmarks themselves',
  ],
  [/npm run bench:ledger$/, 'it measures for minutes; CONTRIBUTING.md has the benchmarks'],
  [/^git pull && npm ci$/, 'it needs the network'],
  [/^install -m 755 .* \/usr\/local\/bin\/guard$/, 'it needs root'],
  [/ sudo chown /, 'it needs root'],
  [/docker compose up/, 'it needs Docker and the network; operate-fleet.test.ts starts the same servers'],
  [/&& git push$/, 'it needs another machine'],
  [/^guard completion powershell /, 'it needs PowerShell'],
];

export const isRun = ({ line }: { readonly line: string }): boolean =>
  ![...ELSEWHERE, ...NOT_RUN].some(([not]) => not.test(line));

/** What an example stands for in the scratch repository. */
export const MEANT: readonly (readonly [shown: RegExp, put: string])[] = [
  [/^cd your\/repository/, 'cd .'],
  // The usual port may be in use on this machine.
  [/^guard serve(?: --ui)?$/, '$& --port 0'],
  [/:7338\//, ':{port}/'],
  [/<files>/, 'src/b.ts'],
  // The rest of the documents is about the ledger in the repository.
  [/ > ~\/\.config\/guard\/config\.json$/, ' > config.json'],
  [/^npm test /, 'true '],
  [/claude-7f3a…/, '{agent}'],
  [/--to 48213/, '--to {lsn}'],
];

/** Exit codes other than 0, and why. */
export const EXITS: readonly (readonly [line: RegExp, code: number, why: string])[] = [
  [/^guard deadlock --log waits\.jsonl$/, 1, 'the log contains a deadlock'],
  [/^guard simulate --ci$/, 1, 'something would have been denied'],
];

/** They run until they are ended. */
export const LASTING = /^guard (?:serve(?! --stop)|status --watch|log --follow|agent list --watch)/;
