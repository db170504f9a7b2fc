/**
 * Agents at work while the server is killed again and again: nothing is lost or done twice, and no file is granted to two
 * agents. GUARD_WARM_STORM sets the number of events, GUARD_WARM_SEED the seed.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { HOOK } from '../claude/driver.ts';
import { dice } from './generate.ts';
import { COLD, LAUNCHERS, kill, pidsIn, serve, stage, type Stage } from './stage.ts';

const EVENTS = Number(process.env['GUARD_WARM_STORM'] ?? 24);
const SEED = Number(process.env['GUARD_WARM_SEED'] ?? 1);
const AGENTS = 4;
const names = Array.from({ length: AGENTS }, (_, at) => `s${at}`);
/** Events of a session: its prompt, a read, before and after a write, its end. */
const EACH = 5;
const SHARED = ['a.txt', 'b.txt'];
const PAUSE_MS = 60;
/** A server that answers nothing for so long, because the machine is too busy, is killed as well. */
const LIFE_MS = 3_000;

const event = (at: Stage, session_id: string, hook_event_name: string, fields: object) => ({
  ...{ session_id, transcript_path: join(at.home, `.claude/projects/-repo/${session_id}.jsonl`) },
  ...{ cwd: at.root, hook_event_name },
  ...fields,
});
const edit = (at: Stage, file: string, tool_use_id: string) => ({
  ...{ tool_name: 'Edit', tool_use_id },
  tool_input: { file_path: at.path(file), old_string: 'two', new_string: '2', replace_all: false },
});

describe.skipIf(LAUNCHERS.length === 0)('many launchers at once', () => {
  it('give a file to one agent, and each its own', async () => {
    const at = stage({
      files: { 'a.txt': 'two\n', ...Object.fromEntries(names.map((name) => [name, 'two\n'])) },
    });
    await serve(at);
    const one = (session: string, file: string) =>
      at.launch(event(at, session, 'PreToolUse', edit(at, file, `${session}-${file}`)), COLD);
    const own = await Promise.all(names.map((name) => one(name, name)));
    expect(own.map(({ exit }) => exit)).toEqual(names.map(() => 0));
    const same = await Promise.all(names.map((name) => one(name, 'a.txt')));
    expect(same.filter(({ exit }) => exit === 0)).toHaveLength(1);
    expect(at.log('intent')).toHaveLength(AGENTS + 1);
    expect(at.guard('verify').exit).toBe(0);
  }, 120_000);

  it(
    'lose nothing, do nothing twice and grant nothing to two while the server is killed again and again',
    async () => {
      const at = stage({ files: Object.fromEntries(SHARED.map((name) => [name, 'begin\n'])) });
      const storm = await stormIn(at);
      expect(storm.exits).toEqual(storm.exits.map(() => 0));
      expect(storm.two_at_once).toEqual([]);
      expect(storm.killed).toBeGreaterThan(0);
      // Otherwise this was a storm of commands.
      expect(storm.answered).toBeGreaterThan(0);

      const ops = (type: string) => at.log(type).map(({ op }) => op);
      expect(ops('intent').sort()).toEqual(storm.approved.sort());
      expect(ops('write').sort()).toEqual(storm.approved.sort());
      const begun = at.log('turn').filter(({ phase }) => phase === 'start');
      expect(begun.map(({ agent }) => agent).sort()).toEqual(
        storm.sessions.map((id) => `claude-${id}`).sort(),
      );
      const left = at.log('agent.leave').map(({ agent }) => agent);
      expect(left.sort()).toEqual(storm.sessions.map((id) => `claude-${id}`).sort());
      const ids = at.log().map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const lines = SHARED.flatMap((name) => at.read(name).split('\n').slice(1, -1));
      expect(lines.sort()).toEqual(storm.approved.sort());
      expect(at.guard('verify').exit).toBe(0);
    },
    60_000 + EVENTS * 4_000,
  );
});

interface Storm {
  readonly sessions: string[];
  readonly exits: (number | null)[];
  /** Ids of the writes that were approved. */
  readonly approved: string[];
  readonly two_at_once: string[];
  events: number;
  /** Events that a server answered. */
  answered: number;
  killed: number;
}

async function stormIn(at: Stage): Promise<Storm> {
  const storm: Storm = {
    sessions: [],
    exits: [],
    approved: [],
    two_at_once: [],
    events: 0,
    answered: 0,
    killed: 0,
  };
  const roll = dice(SEED);
  const commands = join(at.home, 'commands');
  const node = at.put(
    '../node',
    `#!/bin/sh\ncase $1 in *hook.cjs) echo "$STORM" >> '${commands}';; esac\nexec '${process.execPath}' "$@"\n`,
  );
  fs.chmodSync(node, 0o755);
  const holders = new Map<string, string>();
  const tell = async (session: string, name: string, fields: object) => {
    const nth = String(++storm.events);
    const { exit } = await at.launch(event(at, session, name, fields), [node, HOOK, 'guard'], { STORM: nth });
    storm.answered += isIn(commands, nth) ? 0 : 1;
    return exit;
  };
  const agent = async (name: string) => {
    for (let nth = 0; nth < EVENTS / AGENTS; nth += EACH)
      await session(`${name}x${nth}`, SHARED[roll(SHARED.length)] ?? 'a.txt');
  };
  const session = async (id: string, file: string) => {
    storm.sessions.push(id);
    storm.exits.push(await tell(id, 'UserPromptSubmit', { prompt: 'go' }));
    storm.exits.push(await tell(id, 'PostToolUse', readIn(at, file, id)));
    const approval = await tell(id, 'PreToolUse', edit(at, file, id));
    if (approval === 0) {
      if (holders.has(file)) storm.two_at_once.push(`${file}: ${holders.get(file) ?? ''}, ${id}`);
      holders.set(file, id);
      storm.approved.push(id);
      const originalFile = at.read(file);
      fs.appendFileSync(at.path(file), `${id}\n`);
      const tool_response = {
        filePath: at.path(file),
        oldString: 'two',
        newString: '2',
        originalFile,
        structuredPatch: [],
      };
      storm.exits.push(await tell(id, 'PostToolUse', { ...edit(at, file, id), tool_response }));
      holders.delete(file);
    }
    // Denied: another agent holds the file, or has written it since.
    else storm.exits.push(approval === 2 ? 0 : approval);
    storm.exits.push(await tell(id, 'SessionEnd', { reason: 'other' }));
  };
  let isOver = false;
  /** Kills some servers before their first answer, and most at a random moment after one. */
  const killer = async () => {
    while (!isOver) {
      const [begin, answered] = [Date.now(), storm.answered];
      const is_early = storm.killed > 0 && roll(4) === 0;
      while (!is_early && storm.answered === answered && Date.now() - begin < LIFE_MS) await pause(5);
      await pause(1 + roll(PAUSE_MS));
      for (const pid of pidsIn(at).filter((one) => isServer(one, at))) {
        kill(pid);
        storm.killed += 1;
      }
    }
  };
  await serve(at);
  const all = Promise.all(names.map(agent)).finally(() => (isOver = true));
  await Promise.all([all, killer()]);
  return storm;
}

const isIn = (file: string, nth: string): boolean =>
  fs.existsSync(file) && fs.readFileSync(file, 'utf8').split('\n').includes(nth);

/** The pid may belong to another process by now. */
function isServer(pid: number, { state }: Stage): boolean {
  try {
    const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words.some((word) => word.endsWith('serve-hooks.cjs')) && words.includes(state);
  } catch {
    return false;
  }
}

function readIn(at: Stage, file: string, id: string): object {
  const content = at.read(file);
  const numLines = content.split('\n').length;
  const shown = { filePath: at.path(file), content, numLines, startLine: 1, totalLines: numLines };
  const tool_response = { type: 'text', file: shown };
  return {
    tool_name: 'Read',
    tool_input: { file_path: at.path(file) },
    tool_use_id: `read-${id}`,
    tool_response,
  };
}
