import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

import { COMMANDS } from '../../src/cli/commands.ts';
import { EVENT_ROUTES } from '../../src/claude/route.ts';
import { DENIAL_KINDS } from '../../src/core/denial-kinds.ts';
import { ERROR_CODES } from '../../src/core/error.ts';
import { filesIn, ROOT, textOf } from './sources.ts';

const PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...filesIn('docs', /\.md$/)];
const hooks = textOf('docs/hooks.md');
const troubleshooting = textOf('docs/troubleshooting.md');

/** Harness tools have their own page. */
const OF_CALLS = Object.entries(DENIAL_KINDS)
  .filter(([, kind]) => kind.of !== 'harness tool')
  .map(([name]) => name);

describe('the documentation', () => {
  test('has a section for every command', () => {
    const commands = textOf('docs/commands.md');
    const missing = COMMANDS.filter(
      ({ name }) => !new RegExp(`^#+ .*\\bguard ${name}\\b`, 'm').test(commands),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test('names every command in the README', () => {
    const readme = textOf('README.md');
    expect(
      COMMANDS.filter(({ name, hidden }) => hidden !== true && !readme.includes(`guard ${name}`)).map(
        ({ name }) => name,
      ),
    ).toEqual([]);
  });

  test('says of every error code what it means and what to do', () => {
    const missing = Object.keys(ERROR_CODES).filter(
      (code) => !new RegExp(`^\\| \`${code}\` \\|`, 'm').test(troubleshooting),
    );
    expect(missing).toEqual([]);
  });

  test('knows no error code that does not exist', () => {
    const named = PAGES.flatMap((page) =>
      [...textOf(page).matchAll(/\bGUARD_ERR_[A-Z_]+[A-Z]\b/g)].map(([code]) => code),
    );
    expect([...new Set(named)].filter((code) => !(code in ERROR_CODES))).toEqual([]);
  });

  test('says of every denial what it means and what to do', () => {
    const missing = OF_CALLS.filter(
      (type) => !hooks.includes(`\`${type}\``) || !troubleshooting.includes(`\`${type}\``),
    );
    expect(missing).toEqual([]);
  });

  test('gives the order in which denials are named as the code has it', () => {
    const [, order = ''] = /^Order: (.+)\.$/m.exec(hooks) ?? [];
    expect(order.split(', ').map((word) => word.replaceAll('`', ''))).toEqual(OF_CALLS);
  });

  test('says of every event what guard does', () => {
    const missing = Object.keys(EVENT_ROUTES).filter(
      (event) => !new RegExp(`^\\| [^|]*\`${event}\``, 'm').test(hooks),
    );
    expect(missing).toEqual([]);
  });

  test('has only links that lead somewhere', () => {
    expect(PAGES.flatMap(deadLinks)).toEqual([]);
  });

  test('has a README of at most 250 lines', () => {
    expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(250);
  });

  test('tells people to run what continuous integration runs', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> };
    expect(textOf('README.md')).toContain('npm ci && npm run demo');
    expect(textOf('README.md')).toContain('npm ci && npm test');
    const steps = [...textOf('.ci/run').matchAll(/^ *(?!#).*$/gm)].flatMap(
      ([line]) => line.match(/\bnpm (?:ci|test|run [\w:]+)/g) ?? [],
    );
    const checks = (scripts['check'] ?? '').split(' && ');
    expect(steps).toEqual(expect.arrayContaining(['npm ci', 'npm test', 'npm run demo', ...checks]));
    const workflow = textOf('.github/workflows/ci.yml');
    for (const line of [
      'npm run check',
      'npm run test:e2e',
      'replay test/replay/sessions --ci --format github',
    ]) {
      expect(workflow).toContain(line);
    }
    const named = [...PAGES, '.ci/run', '.github/workflows/ci.yml'].flatMap((page) =>
      [...textOf(page).matchAll(/\bnpm run ([a-z][\w:-]*)/g)].map(([, name = '']) => name),
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('numbers every decision once', () => {
    const numbers = filesIn('docs/decisions', /\.md$/).map(
      (path) => /\/(\d{3})-[a-z0-9-]+\.md$/.exec(path)?.[1],
    );
    expect(numbers).not.toContain(undefined);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test('has each decision begin with its number', () => {
    const wrong = filesIn('docs/decisions', /\.md$/).filter(
      (path) => !textOf(path).startsWith(`# ${/\d{3}/.exec(path)?.[0] ?? ''}: `),
    );
    expect(wrong).toEqual([]);
  });
});

/** Relative links to missing files and headings. */
function deadLinks(page: string): string[] {
  const prose = textOf(page).replace(/```[\s\S]*?```/g, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links
    .filter((link) => !/^[a-z]+:/.test(link) && !leads(page, link))
    .map((link) => `${page}: ${link}`);
}

function leads(page: string, link: string): boolean {
  const [file = '', heading] = link.split('#');
  const target = file === '' ? page : normalize(join(dirname(page), file));
  if (!existsSync(join(ROOT, target))) return false;
  return heading === undefined || headingsOf(target).includes(heading);
}

/** Anchors of a page's headings, as GitHub makes them. */
function headingsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
