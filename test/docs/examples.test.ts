/** Every JSON example in the README and the documents is valid input or output of guard or its client. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { deny } from '../../src/claude/output.ts';
import { isObject } from '../../src/core/json-object.ts';
import { oneAgent, runNow, scratch } from '../claude/driver.ts';
import { SILENT_SHELL } from '../cli/silent-shell.ts';
import { PACKAGE } from '../install/scratch.ts';
import { KINDS } from './examples.ts';
import { type Example, examples, outlines } from './json.ts';

const objects = examples.filter(({ value }) => isObject(value));
const kindOf = ({ value, page }: Example): string | undefined =>
  Object.keys(KINDS).find((kind) => isObject(value) && KINDS[kind]?.of(value, page) === true);

const isDenial = ({ value }: Example): boolean =>
  isObject(value) && 'error_type' in value && 'details' in value;
const isRecord = ({ page, value }: Example): boolean =>
  page === 'docs/recipes.md' && isObject(value) && 'type' in value;
/** These have their own checks below. */
const isCheckedBelow = (example: Example): boolean =>
  isDenial(example) || isRecord(example) || isAnswerPart(example);
/** An outline whose fields all happen to have values; answers.test.ts checks it. */
const isAnswerPart = ({ text }: Example): boolean =>
  /^\{"(?:status":"(?:cancelled|running)|stopped":)/.test(text) && text.length < 200;

describe('the examples of JSON in the documents', () => {
  it('are numerous, and all of known kinds', () => {
    expect(objects.length).toBeGreaterThan(25);
    expect(objects.filter((one) => !isCheckedBelow(one) && kindOf(one) === undefined)).toEqual([]);
    const seen = new Set(objects.map(kindOf));
    expect(Object.keys(KINDS).filter((kind) => !seen.has(kind))).toEqual([]);
  });

  it.each(Object.keys(KINDS))('are valid: %s', (kind) => {
    const wrong = objects
      .filter((one) => !isCheckedBelow(one) && kindOf(one) === kind)
      .map((example) => {
        try {
          const problems = KINDS[kind]?.wrong(example.value as Readonly<Record<string, unknown>>, example);
          return { example, problems: problems ?? [] };
        } catch (error) {
          return { example, problems: [String(error)] };
        }
      })
      .filter(({ problems }) => !Array.isArray(problems) || problems.length > 0);
    expect(wrong).toEqual([]);
  });

  /** The denial as indented JSON, with the repository path that the page shows. */
  const asShown = (denial: unknown, root: string, place: string): string =>
    JSON.stringify(denial, null, 2).replaceAll(root, place);
  const shownOn = (page: string): string =>
    JSON.stringify(examples.find((one) => one.page === page && isDenial(one))?.value, null, 2);

  it.each(['README.md', 'docs/hooks.md'])("match guard's denial: %s", (page) => {
    const before = 'export const gross = (net) => net * 1.19;\nexport const shipping = 5;\n';
    const { at, agent } = oneAgent({ files: { 'src/price.mjs': before } });
    agent.read('src/price.mjs');
    at.put('src/price.mjs', before.replace('5', '7'));
    const { denial } = agent.edit('src/price.mjs', 'net * 1.19', 'net * (1 + vat)').pre;
    // An installed guard is called by name.
    const named = asShown(denial, at.root, '/repo').replace(/"node [^"]*guard\.cjs /, '"guard ');
    expect(named).toBe(shownOn(page));
  });

  it("match what a teammate's agent without guard reads", () => {
    const at = scratch({ init: null, config: { enforcement: 'required' }, files: { 'src/price.ts': 'x\n' } });
    const launcher = at.put('.claude/guard-hook.cjs', readFileSync(join(PACKAGE, 'hooks/guard-hook.cjs')));
    const event = {
      ...{ hook_event_name: 'PreToolUse', tool_name: 'Write', tool_use_id: 'toolu_1', session_id: 's' },
      ...{ transcript_path: '/t.jsonl', cwd: at.root },
      tool_input: { file_path: at.path('src/price.ts'), content: 'y' },
    };
    const around = { cwd: at.root, env: { ...at.env, CLAUDE_PROJECT_DIR: at.root }, apart: true };
    const { stderr } = runNow({ ...around, args: [launcher], stdin: JSON.stringify(event) });
    expect(asShown(JSON.parse(stderr), at.root, '/home/sam/app')).toBe(
      shownOn('docs/questions/teammates.md'),
    );
  });

  it('contain records in which guard finds the deadlock', async () => {
    const at = scratch({ init: null });
    at.put(
      'log.jsonl',
      examples
        .filter(isRecord)
        .map(({ text }) => `${text}\n`)
        .join(''),
    );
    let answer: unknown;
    const shell = { ...SILENT_SHELL, cwd: at.root, env: at.env, json: (value: unknown) => (answer = value) };
    await runProgram(['deadlock', '--log', 'log.jsonl', '--json'], shell, '0');
    expect(answer).toMatchObject({ cycles: [{ kind: 'deadlock' }] });
  });

  it('match the form of a refusal by a hook', () => {
    const [form = ''] = outlines.filter(({ page }) => page === 'docs/hosts.md').map(({ text }) => text);
    const denial = {
      error_type: 'NOT_LOCKED',
      message: '',
      details: { path: '' },
      recovery_hint: '',
    } as const;
    const { stdout } = deny(denial);
    const { reason } = JSON.parse(stdout) as { reason: string };
    expect(JSON.parse(form.replaceAll(/:R\b/g, ':"R"').replaceAll('"R"', JSON.stringify(reason)))).toEqual(
      JSON.parse(stdout),
    );
  });
});
