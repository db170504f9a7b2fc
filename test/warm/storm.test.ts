/** Many launchers while the server is killed: nothing is lost or done twice. GUARD_WARM_STORM sets their number. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { COLD, LAUNCHERS, kill, pidsIn, serve, stage, type Stage } from './stage.ts';

const EVENTS = Number(process.env['GUARD_WARM_STORM'] ?? 24);
const SESSIONS = 4;
const names = Array.from({ length: SESSIONS }, (_, at) => `s${at}`);

const event = (at: Stage, session_id: string, hook_event_name: string, fields: object) => ({
  ...{ session_id, cwd: at.root, hook_event_name },
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
    expect(at.log('intent')).toHaveLength(SESSIONS + 1);
    expect(at.guard('verify').exit).toBe(0);
  }, 120_000);

  it(
    'lose nothing and do nothing twice while the server is killed again and again',
    async () => {
      const at = stage();
      await serve(at);
      let isOver = false;
      let killed = 0;
      const killer = async () => {
        while (!isOver) {
          for (const pid of pidsIn(at)) {
            kill(pid);
            killed += 1;
          }
          await pause(40 + 97 * (killed % 4));
        }
      };
      const session = async (name: string) => {
        const exits: (number | null)[] = [];
        for (let n = 0; n < EVENTS / SESSIONS; n++) {
          const told = await at.launch(event(at, name, 'UserPromptSubmit', { prompt: String(n) }), COLD);
          exits.push(told.exit);
        }
        return exits;
      };
      const storm = Promise.all(names.map(session));
      const [exits] = await Promise.all([
        storm.finally(() => {
          isOver = true;
        }),
        killer(),
      ]);
      expect(new Set(exits.flat())).toEqual(new Set([0]));
      expect(killed).toBeGreaterThan(0);
      const turns = names.map(
        (name) => at.log('turn').filter(({ agent }) => agent === `claude-${name}`).length,
      );
      expect(turns).toEqual(names.map(() => Math.ceil(EVENTS / SESSIONS)));
      expect(at.guard('verify').exit).toBe(0);
    },
    60_000 + EVENTS * 4_000,
  );
});
