import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asksForSweep } from '../../src/contents/due.ts';
import { oneAgent, type Scratch, sha256, working } from '../claude/driver.ts';

const kept = (at: Scratch): readonly string[] => {
  const dir = join(at.state, 'contents');
  return fs.existsSync(dir) ? fs.readdirSync(dir).filter((name) => name !== '.swept') : [];
};
const digest = (text: string): string => sha256(Buffer.from(text));

describe('copies of secrets', () => {
  const PEM = '-----BEGIN PRIVATE KEY-----\nMII\n';
  const files = {
    '.env': 'K=1\n',
    'tls/a.pem': 'x\n',
    'credentials.json': '{}\n',
    'data.sqlite': 'y\n',
    'note.txt': PEM,
    'app.ts': 'password=1\n',
  };

  it('are not made by name, by content or by glob; others are, for this user alone, for a week', () => {
    const { at, agent } = oneAgent({ files, config: { undo: { exclude: ['*.sqlite'] } } });
    agent.lock(...Object.keys(files));
    for (const name of Object.keys(files)) {
      agent.read(name);
      if (name !== 'app.ts') agent.write(name, `${at.read(name)}more of ${name}\n`);
    }
    expect(kept(at)).toEqual([digest('password=1\n')]);
    const file = join(at.state, 'contents', digest('password=1\n'));
    expect([fs.statSync(file).mode & 0o777, fs.statSync(join(file, '..')).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    agent.end();
    fs.utimesSync(file, Date.now() / 1000 - 8 * 86_400, Date.now() / 1000 - 8 * 86_400);
    expect(at.guard('compact', '--contents').exit).toBe(0);
    expect(kept(at)).toEqual([]);
  });
});

/** Noise for which no hook requests a sweep; the digest decides that by chance. */
function unsweptNoise(): Buffer {
  for (;;) {
    const bytes = randomBytes(600_000);
    if (!asksForSweep(sha256(bytes), bytes.length)) return bytes;
  }
}

describe('copies that fill the disk', () => {
  it('are not made of large files, and a repository gets no more than its user wants', () => {
    const big = 'x'.repeat((4 << 20) + 1);
    const { at, agent } = oneAgent({
      files: { 'big.txt': big },
      config: { undo: { max_mb: 4_000, max_age: '700h' } },
    });
    agent.read('big.txt');
    expect(kept(at)).toEqual([]);
    const { results } = at.guard('doctor', '--json').json() as {
      results: readonly { id: string; facts: Readonly<Record<string, unknown>> }[];
    };
    expect(results.find(({ id }) => id === 'contents')?.facts).toMatchObject({
      max_bytes: 64 << 20,
      max_age_ms: 7 * 86_400_000,
    });
  });

  it('are removed down to the bound, oldest first', () => {
    const { at, agent } = oneAgent({ config: { undo: { max_mb: 1 } } });
    for (let i = 0; i < 3; i++) {
      at.put('x.bin', unsweptNoise());
      agent.read('x.bin');
    }
    expect(kept(at)).toHaveLength(3);
    agent.end();
    at.guard('compact', '--contents');
    expect(kept(at)).toEqual([sha256(fs.readFileSync(at.path('x.bin')))]);
  });
});

describe('an undo against the rules', () => {
  it("of guard's files, of a file that another holds, of one that nobody holds", () => {
    const { at, agent } = oneAgent({ files: { 'x.txt': 'one\n', 'guard.config.json': '{}\n' } });
    agent.lock('x.txt');
    agent.read('x.txt');
    agent.edit('x.txt', 'one', 'two');
    agent.read('guard.config.json');
    agent.write('guard.config.json', '{"preset":"auto"}\n');
    at.put('guard.config.json', '{"preset":"strict"}\n');
    const other = working(at);
    const why = (file: string, who = other): unknown => {
      const told = who.guard('undo', at.path(file), '--json').json() as {
        files?: readonly { denial?: { error_type: string } }[];
      };
      return told.files?.[0]?.denial?.error_type;
    };
    expect(why('x.txt')).toBe('LOCKED_BY_OTHER');
    agent.guard('lock', 'release', '--all-held');
    expect(why('x.txt')).toBe('NOT_LOCKED');
    agent.guard('lock', 'try', at.path('guard.config.json'));
    at.guard('undo', 'guard.config.json', '--to', '0');
    expect(at.read('guard.config.json')).toBe('{"preset":"strict"}\n');
    expect(at.read('x.txt')).toBe('two\n');
  });
});
