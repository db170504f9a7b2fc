/** What `guard doctor` reports about clients other than Claude Code. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch, type Scratch } from '../../claude/driver.ts';

interface Result {
  readonly id: string;
  readonly status: string;
  readonly message: string;
}

function doctor(at: Scratch, env: Readonly<Record<string, string>> = {}): readonly Result[] {
  const { results } = at.guardWith(env, 'doctor', '--json').json() as { results: readonly Result[] };
  return results;
}

const of = (id: string, results: readonly Result[]) => results.filter((result) => result.id === id);

/** A program named codex that answers like the real one (0.169.0). */
function withCodex(at: Scratch, trustStatus: string): Readonly<Record<string, string>> {
  const bin = join(at.home, 'bin');
  fs.mkdirSync(bin, { recursive: true });
  const { hooks } = JSON.parse(at.read('.codex/hooks.json')) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  const listed = Object.entries(hooks).flatMap(([eventName, groups]) =>
    groups.map((group) => ({ eventName, command: group.hooks[0]?.command, enabled: true, trustStatus })),
  );
  const answer = JSON.stringify({ id: 2, result: { data: [{ cwd: at.root, hooks: listed }] } });
  const script = `#!${process.execPath}\nprocess.stdin.once('data', () => console.log(${JSON.stringify(answer)}));\n`;
  fs.writeFileSync(join(bin, 'codex'), script, { mode: 0o755 });
  return { PATH: `${bin}:${String(at.env['PATH'])}` };
}

describe('a repository in which Codex alone is set up', () => {
  it('fails while Codex does not trust the hooks, and is well when it does', () => {
    const at = scratch({ init: null });
    at.guard('init', '--host', 'codex');
    const untrusted = of('hosts', doctor(at, withCodex(at, 'untrusted')));
    expect(untrusted.map(({ status }) => status)).toContain('fail');
    expect(untrusted[0]?.message).toContain('not trusted');
    const trusted = doctor(at, withCodex(at, 'trusted'));
    expect(of('hosts', trusted).map(({ status }) => status)).toEqual(['ok']);
    expect(trusted.filter(({ status }) => status === 'fail')).toEqual([]);
    expect(of('hooks', trusted)).toEqual([]);
  });

  it('says that Codex was not asked where it is not there, and that its hooks are old where they are', () => {
    const at = scratch({ init: null });
    at.guard('init', '--host', 'codex');
    expect(of('hosts', doctor(at)).map(({ status }) => status)).toEqual(['warn', 'ok']);
    at.put(
      '.codex/hooks.json',
      at
        .read('.codex/hooks.json')
        .replace('"timeout":60', '"timeout":5')
        .replace('"timeout": 60', '"timeout": 5'),
    );
    expect(of('hosts', doctor(at))[0]?.message).toContain('Codex');
    expect(of('hosts', doctor(at)).filter(({ status }) => status === 'ok')).toEqual([]);
  });
});

describe('a repository without any client', () => {
  it('is told to run guard init', () => {
    const at = scratch({ fresh: true });
    fs.rmSync(at.path('.claude'), { recursive: true });
    expect(of('hooks', doctor(at)).map(({ status }) => status)).toEqual(['fail']);
  });
});
