/**
 * Recorded events, mutated: whatever a client or a model sends, the hook answers with 0 or 2, and a write that must be denied
 * is. GUARD_FUZZ_RUNS says how many (600 in a run of the tests), GUARD_FUZZ_SEED which.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, expectEnvelope, PACKAGE, scratch, type Scratch } from './driver.ts';
import { hookHere } from './driver/in-process.ts';
import { dice, mutated } from './driver/mutate.ts';

const RUNS = Number(process.env['GUARD_FUZZ_RUNS'] ?? 600);
const SEED = Number(process.env['GUARD_FUZZ_SEED'] ?? 7);
/** Through real processes too. */
const PROCESSES = Math.ceil(RUNS / 40);
/** Of the hook; half a second above it is the machine's. */
const DEADLINE_MS = 5_500;

const DIR = join(PACKAGE, 'test/fixtures/payloads');
const EVENTS = fs
  .readdirSync(DIR)
  .filter((name) => name.endsWith('.json') && !name.startsWith('env.'))
  .map((name) => fs.readFileSync(join(DIR, name), 'utf8'));
const WRITERS =
  /^(?:Edit|Write|MultiEdit|NotebookEdit|create_file|replace_string_in_file|insert_edit_into_file)$/;

const FILES = { 'a.txt': 'one\n', 'b.txt': 'b\n', 'rel/r.txt': 'r\n', 'n.ipynb': '{"cells":[]}' };

/** Everything that an answer must leave as it is. */
const KEPT = [
  ...Object.keys(FILES),
  '.claude/settings.json',
  '.claude/guard-hook.cjs',
  '.git/guard/install.json',
];
const stateOf = (at: Scratch): string[] => KEPT.map((name) => at.read(name));

/**
 * Nobody holds a lock, so each write to a file of the repository must be denied; null: no such write, or one that goes
 * elsewhere. Asked of the text as sent, by the last of each name, as JSON.parse takes it.
 */
function mustBeDenied(at: Scratch, text: string): boolean | null {
  let event: Record<string, unknown>;
  try {
    // As the hook takes it: what is no object is no event.
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
      // Writes are what matters; the rest is there to disturb them.
      const text = mutated(roll.pick(n % 2 === 0 ? writes : events), roll, at.root);
      if (mustBeDenied(at, text) === true) count.must++;
      count[expectOrderly(hookHere(at, text), text, at)]++;
    }
    expect(stateOf(at)).toEqual(before);
    // The oracle is not asleep, and not everything is denied.
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
