/**
 * Mutated recorded events: for any input, the hook exits with 0 or 2, and denies every write that it must deny.
 * GUARD_FUZZ_RUNS sets the number of runs (600 by default), GUARD_FUZZ_SEED the seed.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, expectEnvelope, PACKAGE, scratch, type Scratch } from './driver.ts';
import { hookHere } from './driver/in-process.ts';
import { dice, mutated } from './driver/mutate.ts';

const RUNS = Number(process.env['GUARD_FUZZ_RUNS'] ?? 600);
const SEED = Number(process.env['GUARD_FUZZ_SEED'] ?? 7);
/** How many also run as real processes. */
const PROCESSES = Math.ceil(RUNS / 40);
/** The hook's deadline, plus half a second for the machine. */
const DEADLINE_MS = 5_500;

const DIR = join(PACKAGE, 'test/fixtures/payloads');
const EVENTS = fs
  .readdirSync(DIR)
  .filter((name) => name.endsWith('.json') && !name.startsWith('env.'))
  .map((name) => fs.readFileSync(join(DIR, name), 'utf8'));
const WRITERS =
  /^(?:Edit|Write|MultiEdit|NotebookEdit|create_file|replace_string_in_file|insert_edit_into_file)$/;

const FILES = { 'a.txt': 'one\n', 'b.txt': 'b\n', 'rel/r.txt': 'r\n', 'n.ipynb': '{"cells":[]}' };

/** Files that every answer must leave unchanged. */
const KEPT = [
  ...Object.keys(FILES),
  '.claude/settings.json',
  '.claude/guard-hook.cjs',
  '.git/guard/install.json',
];
const stateOf = (at: Scratch): string[] => KEPT.map((name) => at.read(name));

/**
 * No lock is held, so each write to a file of the repository must be denied; null if there is no such write, or it goes
 * elsewhere. Reads the text as sent; of duplicate names the last one counts, as in JSON.parse.
 */
function mustBeDenied(at: Scratch, text: string): boolean | null {
  let event: Record<string, unknown>;
  try {
    // Like the hook: a value that is not an object is not an event.
    event = Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return null;
  }
  const { hook_event_name, tool_name, tool_input, cwd } = event;
  if (hook_event_name !== 'PreToolUse' || typeof tool_name !== 'string' || !WRITERS.test(tool_name))
    return null;
  const input = (typeof tool_input === 'object' && tool_input !== null ? tool_input : {}) as Record<
    string,
    unknown
  >;
  const names = tool_name === 'NotebookEdit' ? ['notebook_path'] : ['file_path', 'path'];
  const given = names.map((name) => input[name]).filter((path) => typeof path === 'string');
  return given.length > 0 && given.every((path) => isOfRepository(at, path, cwd));
}

function isOfRepository(at: Scratch, path: string, cwd: unknown): boolean {
  if (path.startsWith('~') || !(path.startsWith('/') || cwd === at.root)) return false;
  const full = path.startsWith('/') ? path : join(at.root, path);
  return join(full).startsWith(`${at.root}/`) && !isDirectory(full.replaceAll('\0', ''));
}

function isDirectory(path: string): boolean {
  try {
    return fs.statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function expectOrderly(answer: Answer, text: string, at: Scratch): 'denied' | 'passed' {
  const shown = text.slice(0, 600);
  expect([0, 2], shown).toContain(answer.exit);
  expect(answer.stderr, shown).not.toMatch(/GUARD_ERR_INTERNAL|\n {4}at |Error:/);
  expect(answer.stdout, shown).not.toContain('GUARD_ERR_INTERNAL');
  expect(answer.took_ms, shown).toBeLessThan(DEADLINE_MS);
  if (mustBeDenied(at, text) === true) expectEnvelope(answer);
  return answer.exit === 2 ? 'denied' : 'passed';
}

const eventsFor = (at: Scratch): string[] => EVENTS.map((text) => text.replaceAll('/repo', at.root));

describe(`mutated events, seed ${SEED}`, () => {
  it(`${RUNS} of them, in this process`, { timeout: 60_000 + RUNS * 200 }, () => {
    const at = scratch({ files: FILES });
    const before = stateOf(at);
    const roll = dice(SEED);
    const events = eventsFor(at);
    const writes = events.filter((text) => mustBeDenied(at, text) === true);
    const count = { must: 0, denied: 0, passed: 0 };
    for (let n = 0; n < RUNS; n++) {
      // Half of them are writes, the subject of this test; the others disturb them.
      const text = mutated(roll.pick(n % 2 === 0 ? writes : events), roll, at.root);
      if (mustBeDenied(at, text) === true) count.must++;
      count[expectOrderly(hookHere(at, text), text, at)]++;
    }
    expect(stateOf(at)).toEqual(before);
    // The oracle finds writes to deny, and not everything is denied.
    expect(count.must).toBeGreaterThan(RUNS / 10);
    expect(count.denied).toBeGreaterThanOrEqual(count.must);
    expect(count.passed).toBeGreaterThan(RUNS / 20);
  });

  it(`${PROCESSES} of them, as the client starts the hook`, { timeout: 120_000 }, async () => {
    const at = scratch({ files: FILES });
    const before = stateOf(at);
    const roll = dice(SEED + 1);
    const events = eventsFor(at);
    for (let n = 0; n < PROCESSES; n++) {
      const text = mutated(roll.pick(events), roll, at.root);
      expectOrderly(await at.startText(text, {}), text, at);
    }
    expect(stateOf(at)).toEqual(before);
  });
});
