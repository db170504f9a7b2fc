/** Contents of the small repository of the shell corpora, by path. Some files are deliberately unformatted. */

export const COMMITTED: Readonly<Record<string, string>> = {
  '.gitignore': 'dist/\nnode_modules/\n__pycache__/\n.cache/\n.claude/worktrees/\n*.log\n.env.local\ntmp/\n',
  '.editorconfig': 'root = true\n[*]\nindent_style = space\n',
  'README.md': '# Shop\n\nVersion: 1.2.0\n\nSmall tools for a shop. See docs/guide.md.\n\nLATER: badges\n',
  'CHANGELOG.md': '# Changelog\n\n## 1.2.0\n\n- prices with taxes\n\n## 1.1.0\n\n- users\n',
  'package.json': packageJson('shop', {
    test: 'node --test test/*.test.js',
    'test:unit': 'node --test test/parser.test.js',
    build: 'node scripts/build.mjs',
    clean: 'rm -rf dist',
    lint: 'prettier --check src',
    format: 'prettier --write src docs',
    'format:check': 'prettier --check src docs',
    generate: 'python3 scripts/gen.py',
    bump: 'node scripts/bump.mjs',
    docs: 'sed -n "s/^export function/-/p" src/app.js > docs/api.md',
    reset: 'git checkout -- .',
    prebuild: 'mkdir -p dist',
    start: 'node src/app.js',
  }),
  Makefile: [
    'SRC = src',
    '.PHONY: all build test fmt clean docs reset version',
    'all: build',
    'build:\n\tmkdir -p dist && cat $(SRC)/app.js $(SRC)/parser.js > dist/bundle.js',
    'test:\n\tnode --test test/*.test.js',
    'fmt:\n\tnpx prettier --write $(SRC)',
    'clean:\n\trm -rf dist *.log',
    'docs:\n\tpython3 scripts/gen.py > /dev/null\n\tcp docs/faq.md docs/guide.md',
    'reset:\n\tgit checkout -- src docs',
    "version:\n\tsed -i 's/^Version: .*/Version: 2.0.0/' README.md",
    'strip:\n\t@for f in $(SRC)/*.js; do sed -i "s/[ \\t]*$$//" $$f; echo "// end" >> $$f; done',
    '',
  ].join('\n'),
  justfile:
    'fmt:\n    npx prettier --write src\n\nbuild:\n    npm run build\n\nwipe:\n    rm -rf docs/*.md\n',
  'src/app.js':
    "import { parse } from './parser.js';\nimport { money } from './util/format.js';\n\nexport function total(text) {\n  return parse(text).reduce((sum, { price }) => sum + price, 0);\n}\n\nexport function show(text) {\n  return money(total(text));\n}\n",
  'src/parser.js':
    'export function parse(text) {\n    // LATER: quotes\n    return text.split("\\n").filter(Boolean).map(line => {\n        const [name, price] = line.split(",")\n        return {name, price: Number(price)}\n    })\n}\n\nexport const VERSION = "1.2.0"\n',
  'src/util/format.js':
    'export const money = n => "€ " + n.toFixed(2)\nexport function pad(text, width) { return String(text).padStart(width) }\n',
  'src/util/dates.js':
    'export const day = (date) => date.toISOString().slice(0, 10);\n\nexport const DEBUG = false;\n',
  'src/config.json': '{\n  "retries": 3,\n  "debug": false,\n  "host": "localhost"\n}\n',
  'src/styles.css': 'body{margin:0;color:#222}\n.price{font-weight:bold}\n',
  'src/__init__.py': '',
  'py/report.py':
    "import sys\nfrom stats import mean\n\n\ndef main(path):\n    rows = [float(l) for l in open(path) if l.strip()]\n    print('mean', mean(rows))\n\n\nif __name__ == '__main__':\n    main(sys.argv[1])\n",
  'py/stats.py':
    'def mean(rows):\n    return sum(rows) / len(rows)\n\n\ndef spread(rows):\n    return max(rows) - min(rows)\n',
  'py/test_stats.py':
    "import unittest\nfrom stats import mean\n\n\nclass Stats(unittest.TestCase):\n    def test_mean(self):\n        self.assertEqual(mean([1, 3]), 2)\n\n\nif __name__ == '__main__':\n    unittest.main()\n",
  'docs/guide.md':
    '# Guide\n\n* install\n* run\n\nVersion 1.2.0 of the shop. See http://example.com/old for more.\n',
  'docs/api.md': '# API\n\n* `total(text)`\n* `show(text)`\n',
  'docs/faq.md': '# FAQ\n\nQ: Why?\nA: Because.\n\nQ: How?\nA: See the guide.\n',
  'docs/release notes.md': '# Release notes\n\nNothing yet.\n',
  'docs/img/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>\n',
  'scripts/build.mjs':
    "import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';\nmkdirSync('dist', { recursive: true });\nwriteFileSync('dist/bundle.js', ['app', 'parser'].map((name) => readFileSync(`src/${name}.js`, 'utf8')).join('\\n'));\nconsole.log('built');\n",
  'scripts/bump.mjs':
    "import { readFileSync, writeFileSync } from 'node:fs';\nconst to = process.argv[2] ?? '1.3.0';\nfor (const name of ['README.md', 'src/parser.js', 'docs/guide.md'])\n  writeFileSync(name, readFileSync(name, 'utf8').replaceAll('1.2.0', to));\n",
  'scripts/gen.py':
    "import json\nwith open('src/config.json') as f:\n    names = sorted(json.load(f))\nwith open('src/generated.js', 'w') as out:\n    out.write('export const KEYS = ' + json.dumps(names) + ';\\n')\nprint(len(names))\n",
  'scripts/clean.sh': '#!/bin/sh\nset -e\nrm -rf dist .cache\nrm -f ./*.log\n',
  'scripts/header.sh':
    '#!/usr/bin/env bash\n# Puts a license header before each file that is named.\nfor f in "$@"; do\n  { echo "// (c) Shop"; cat "$f"; } > "$f.tmp" && mv "$f.tmp" "$f"\ndone\n',
  'scripts/sync-docs.sh':
    '#!/usr/bin/env bash\nset -euo pipefail\ncd "$(dirname "$0")/.."\ncat README.md docs/faq.md > docs/guide.md\n',
  'scripts/check.py':
    "import pathlib, sys\nbad = [p for p in pathlib.Path('src').rglob('*.js') if 'BROKEN' in p.read_text()]\nprint(bad)\nsys.exit(bool(bad))\n",
  'test/app.test.js':
    "import test from 'node:test';\nimport assert from 'node:assert';\nimport { total } from '../src/app.js';\ntest('total', () => assert.equal(total('a,1\\nb,2'), 3));\n",
  'test/parser.test.js':
    "import test from 'node:test';\nimport assert from 'node:assert';\nimport { parse } from '../src/parser.js';\ntest('parse', () => assert.deepEqual(parse('a,1'), [{ name: 'a', price: 1 }]));\n",
  'test/golden/total.txt': '3\n',
  'packages/api/package.json': packageJson('api', {
    fmt: 'prettier --write src',
    start: 'node src/server.js',
    test: 'node -e "1"',
  }),
  'packages/api/README.md': '# api\n\nThe server of the shop.\n',
  'packages/api/src/server.js':
    "import { createServer } from 'node:http';\nimport { routes } from './routes.js';\n\nexport const serve = (port) => createServer(routes).listen(port);\n",
  'packages/api/src/routes.js':
    'export function routes(req, res) {\n  if (req.url == "/health") { res.end("ok"); return }\n  res.statusCode = 404\n  res.end()\n}\n',
  'packages/api/config.yaml': 'port: 8080\nlog: info\n',
  'config/dev.yaml': 'env: dev\nport: 3000\nhost: localhost\n',
  'config/prod.yaml': 'env: prod\nport: 80\nhost: shop.example\n',
  'data/users.csv': 'id,name\n1,ada\n2,ben\n3,cy\n',
  'data/prices.json': '[{"name":"tea","price":3},{"name":"bun","price":2}]\n',
  'data/notes.txt': 'third\nfirst\nsecond\nfirst\n',
};

function packageJson(name: string, scripts: Readonly<Record<string, string>>): string {
  const all = { name, version: '1.2.0', private: true, type: 'module', scripts };
  return `${JSON.stringify(all, null, 2)}\n`;
}

export const IGNORED: Readonly<Record<string, string>> = {
  'dist/bundle.js': '// old\n',
  'dist/assets/app.css': 'a{}\n',
  'build.log': 'started\nwarning: slow\ndone\n',
  'packages/api/server.log': 'listening\n',
  '.cache/state.json': '{"hits":1}\n',
  '.env.local': 'TOKEN=none\n',
  'tmp/scratch.txt': 'x\n',
};

/** The commit by which `origin/main` is ahead. */
export const UPSTREAM = {
  'docs/guide.md':
    '# Guide\n\n* install it\n* run it\n\nVersion 1.2.1 of the shop. See http://example.com/new for more.\n',
  'src/styles.css': 'body{margin:0;color:#111}\n.price{font-weight:600}\n',
};

/** The branch `feature`: changed content, a new file and a deleted one. */
export const FEATURE = {
  'src/parser.js':
    "export const parse = (text) => text.split('\\n').map((line) => ({ name: line, price: 0 }));\nexport const VERSION = '2.0.0';\n",
  'docs/api.md': '# API\n\n* `parse(text)`\n',
  'src/feature.js': "export const feature = 'on';\n",
};

/** Uncommitted work of others, by variant; files outside COMMITTED are untracked. */
export const FOREIGN = {
  clean: {},
  dirty: {
    'src/parser.js': `${COMMITTED['src/parser.js'] ?? ''}\nexport const STRICT = true // being worked on\n`,
    'docs/guide.md': '# Guide\n\n* install\n* run\n* enjoy\n\nVersion 1.2.0 of the shop.\n',
    'data/notes.txt': 'third\nfirst\nsecond\nfirst\nfourth\n',
    'src/draft.js': 'export const draft = 1\n',
  },
  person: {
    'src/util/dates.js':
      'export const day = (date) => date.toISOString().slice(0, 10);\n\nexport const DEBUG = true;\n',
    'README.md': '# Shop\n\nVersion: 1.2.0\n\nMine: half a sentence\n',
    'docs/todo.md': '- buy milk\n',
  },
  worktree: { 'docs/guide.md': '# Guide\n\n* install\n* run\n* enjoy\n\nVersion 1.2.0 of the shop.\n' },
  sub: {
    'packages/api/src/routes.js':
      'export function routes(req, res) {\n  res.end(req.url == "/health" ? "ok" : "no")\n}\n',
    'packages/api/draft.md': '# draft\n',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;
