/** Code in a command line that writes a file its agent saw, and that another agent has changed since. */
import { describe, expect, it } from 'vitest';
import { expectEnvelope, oneAgent, type Session, working, wrongs } from '../driver.ts';
import { begin, run, wrongsOf } from './shell.ts';

const SCRIPT = "p = 'src/a.txt'\ns = open(p).read()\nopen(p, 'w').write(s.replace('one', 'x') + 'y')\n";
const FILES = {
  'src/a.txt': 'one\ntwo\n',
  'fix.py': SCRIPT,
  'fix.mjs': "import fs from 'node:fs';\nfs.appendFileSync('src/a.txt', 'y');\n",
};

const LINES = [
  "sed -i 's/two/x/' src/a.txt",
  "cat > src/a.txt <<'EOF'\nhi\nEOF",
  `python3 -c "open('src/a.txt', 'w').write('hi')"`,
  `python3 - <<'EOF'\n${SCRIPT}EOF`,
  `cd src && python3 <<'EOF'\nwith open('a.txt', 'a') as f:\n    f.write('hi')\nEOF`,
  'python3 fix.py',
  `cat > /tmp/made-here.py <<'EOF'\n${SCRIPT}EOF\npython3 /tmp/made-here.py`,
  `node -e "require('fs').writeFileSync('src/a.txt', 'hi')"`,
  `node - <<'EOF'\nrequire('fs').appendFileSync('src/a.txt', 'hi')\nEOF`,
  'node fix.mjs',
  "perl -pi -e 's/two/x/' src/a.txt",
  `ruby -e "File.write('src/a.txt', 'hi')"`,
];

function two(config?: object): { agent: Session; other: Session } {
  const { at, agent } = oneAgent({ files: FILES, ...(config ? { config } : {}) });
  at.git('add', '-A');
  return { agent, other: working(at) };
}

/** Locks, reads, writes and releases, as agents do. */
function writes(other: Session): void {
  other.lock('src/a.txt');
  other.read('src/a.txt');
  other.edit('src/a.txt', 'one', 'three');
  other.scratch.guard('lock', 'release', 'src/a.txt', '--agent', other.name);
}

describe('a file that another agent wrote since it was read', () => {
  it.each(LINES)('%s', (line) => {
    const { agent, other } = two();
    agent.read('src/a.txt');
    writes(other);
    const { pre } = begin(agent, line);
    expect(wrongs(pre)).toEqual(['STALE_FILE']);
    expect(expectEnvelope(pre).details).toMatchObject({ changed_by: other.name });
    agent.read('src/a.txt');
    expect(wrongsOf(agent, line)).toEqual([]);
  });

  it('is refused by the hook’s own process as well, after waiting for the lock', () => {
    const { agent, other } = two();
    agent.read('src/a.txt');
    writes(other);
    agent.scratch.guard('lock', 'wait', 'src/a.txt', '--agent', agent.name);
    const pre = agent.pre(agent.call('Bash', { command: LINES[2] ?? '' }));
    expect(wrongs(pre)).toEqual(['STALE_FILE']);
  });

  it('may have been seen in an earlier turn', () => {
    const { agent, other } = two();
    agent.read('src/a.txt');
    agent.stopped({});
    writes(other);
    agent.prompt('go on');
    expect(wrongsOf(agent, 'python3 fix.py')).toEqual(['UNREAD_FILE']);
  });
});

describe('is no reason to refuse code', () => {
  it.each(['python3 fix.py', `python3 - <<'EOF'\n${SCRIPT}EOF`, 'node fix.mjs'])(
    'that changes what its agent has seen, again and again, beside another’s command: %s',
    (line) => {
      const { agent, other } = two();
      agent.read('src/a.txt');
      begin(other, 'make');
      for (let time = 0; time < 3; time++) expect(run(agent, line).pre.exit).toBe(0);
    },
  );

  it('that may write what its agent never saw', () => {
    const { agent, other } = two();
    writes(other);
    expect(wrongsOf(agent, 'python3 fix.py')).toEqual([]);
  });

  it('that nobody knows to run, for want of a lock', () => {
    const { agent } = two({ preset: 'strict' });
    agent.read('src/a.txt');
    expect(wrongsOf(agent, 'python3 fix.py')).toEqual([]);
  });
});
