/** In every permission mode, no command changes what another session holds, from its subagents or background either. */
import { describe, expect } from 'vitest';

import { beside } from './client/beside.ts';
import { failedHooks, logOf } from './client/guarded.ts';
import { guardedIn, isFenced, MODES, situationIn } from './client/modes.ts';
import { type Answer, delegate, use } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { clientHas } from './client/stage.ts';
import { tried } from './client/tried.ts';

const FILES = {
  'x.txt': 'one\ntwo\n',
  'y.txt': 'mine\n',
  'src/m.txt': 'one\nmore\n',
  'write.sh': 'echo bad >> x.txt\n',
  'write.py': "open('x.txt', 'w').write('bad')\n",
};
const HELD = ['x.txt', 'src/m.txt'];
const KEPT = ['ONE\ntwo\n', 'ONE\nmore\n'];

const kept = (scratch: Scratch): readonly string[] => HELD.map((name) => scratch.read(name));
const filesIn = (scratch: Scratch): readonly string[] => HELD.map((name) => scratch.path(name));

/** Writes to held files in plain sight; some in every mode, the rest in one. */
const PLAIN = ["sed -i 's/two/bad/' x.txt", 'python3 write.py', 'sh write.sh', 'mv src lib'];
const MORE = [
  'echo bad >> x.txt',
  "cat > x.txt <<'EOF'\nbad\nEOF",
  "cd src && cd .. && python3 - <<'EOF'\nopen('x.txt', 'w').write('bad')\nEOF",
  'for f in x.txt; do cp y.txt "$f"; done 2>&1 | tail -5',
  'mv y.txt x.txt',
  'rm -f x.txt && echo gone',
];

/** git commands that are refused as a whole. */
const GIT = ['git checkout -- x.txt', 'git mv src lib', 'git checkout -- .', 'git reset --hard'];
/** Refused with a narrower command, which passes. */
const NARROWED = ['git stash', 'git add -A && git status --short'];
/**
 * guard asks git before it names a narrower command, and gives it 300 ms. On a busy machine it then decides by locks
 * and names none (once in 20 runs at a load of 20 on two cores). Only then is the situation repeated.
 */
const LATE = { count: 2, condition: /^narrower: / };

/** The line does not show what it writes. */
const hidden = (line: string): string =>
  `echo ${Buffer.from(`${line}\n`).toString('base64')} | base64 -d | sh; echo done`;
const HIDDEN = hidden('echo bad >> x.txt');

/** Writes only when it is told to, long after its call. */
const LATER: Answer = use('Bash', {
  command: `until [ -e go.txt ]; do sleep 0.05; done; ${hidden('echo bad >> src/m.txt')}; touch late.txt`,
  description: 'Later',
  run_in_background: true,
});
const NOW = 'touch go.txt; until [ -e late.txt ]; do sleep 0.05; done; echo written';

/** Traces of guard other than its messages. */
const TRACES = /# guard:|GUARD_FENCE|GUARD_SESSION|pre\.sh|fence\.pl/;

describe.each(MODES)('in mode %s', (mode) => {
  situationIn(mode)(
    'a write to what is held is refused before, or stopped by the kernel',
    { retry: LATE },
    async ({ stage }) => {
      const scratch = guardedIn(mode, stage, FILES);
      const fenced = isFenced(scratch);
      const mine = ['echo more >> y.txt', 'git stash pop', 'git status --short && git log --oneline -1'];
      const plain = mode === 'default' ? [...PLAIN, ...MORE] : PLAIN;
      const own = tried([
        ...plain,
        ...GIT,
        ...[mine[0] ?? '', NARROWED[0] ?? '', mine[1] ?? '', NARROWED[1] ?? '', mine[2] ?? ''],
        ...(fenced ? [HIDDEN, LATER, NOW] : []),
        ...(clientHas('agent_ids') ? [delegate('child')] : []),
      ]);
      const child = tried([...PLAIN.slice(0, 1), ...(fenced ? [HIDDEN] : []), GIT[0] ?? '', 'cat x.txt']);
      const { runs, api } = await beside(stage, scratch, {
        ...{ files: filesIn(scratch), mode },
        other: { other: own.turn, child: child.turn },
      });

      const byGit = /^(?:LOCKED_BY_OTHER|WORK_OF_OTHERS)$/;
      for (const line of plain) expect(own.of(line).said, line).toEqual(['LOCKED_BY_OTHER']);
      for (const line of GIT) expect(own.of(line).said[0], line).toMatch(byGit);
      for (const line of NARROWED)
        expect(own.of(line).is_error, `narrower: ${own.of(line).heard}`).toEqual([true, false]);
      for (const line of mine) expect(own.of(line).is_error, own.of(line).heard).toEqual([false]);
      if (fenced) {
        expect(own.of(HIDDEN).said[0]).toContain('done');
        expect(own.of(HIDDEN).heard, 'whose file it is').toContain(`claude-${runs.holder.session}`);
        expect(own.of(NOW).said[0]).toContain('written');
      }
      if (clientHas('agent_ids')) {
        expect(child.of(PLAIN[0] ?? '').said).toEqual(['LOCKED_BY_OTHER']);
        expect(child.of(GIT[0] ?? '').said[0]).toMatch(byGit);
        expect(child.of('cat x.txt').said).toEqual(['ONE\ntwo']);
      }
      expect(kept(scratch)).toEqual(KEPT);
      expect(scratch.read('y.txt')).toBe('mine\nmore\n');
      const requests = api.seen.filter(({ marker }) => marker !== 'holder').map(({ request }) => request);
      expect(JSON.stringify(requests)).not.toMatch(TRACES);
      const shown = runs.other.events.filter(({ type }) => type === 'assistant' || type === 'user');
      expect(JSON.stringify(shown)).not.toMatch(TRACES);
      expect([...failedHooks(runs.holder), ...failedHooks(runs.other)]).toEqual([]);
    },
  );

  situationIn(mode)(
    'without a fence a hidden write, a late one too, is told to both, and undone',
    async ({ stage }) => {
      const scratch = guardedIn(mode, stage, FILES, { fence: 'off', allow_weaker: true });
      const own = tried([HIDDEN, LATER, NOW, 'echo next']);
      const { runs, heard } = await beside(stage, scratch, {
        ...{ files: filesIn(scratch), mode, other: { other: own.turn } },
        then: [
          'echo look',
          ...(clientHas('agent_ids') ? filesIn(scratch).map((file) => `guard undo ${file}`) : []),
        ],
      });
      const other = `claude-${runs.other.session}`;
      expect(own.of(HIDDEN).heard).toContain('x.txt');
      expect(heard).toContain(other);
      expect(logOf(scratch, '--type', 'drift').map(({ agent, path }) => [agent, path])).toEqual(
        HELD.map((path) => [other, path]),
      );
      // On older clients a command has no owner unless a fence identifies it: undo then asks for --agent.
      if (clientHas('agent_ids')) expect(kept(scratch), heard).toEqual(KEPT);
    },
  );
});
