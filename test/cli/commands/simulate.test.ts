/** `guard simulate`: from the client's folder to text, JSON and a page. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SimulationReport } from '../../../src/simulate/report.ts';
import { scratch, type Scratch } from '../../claude/driver.ts';
import { Told, toldDay } from '../../simulate/told.ts';

const ONE = 'one\ntwo\nthree\n';

/** Two sessions in one repository, one of which overwrites the other's lines, in the client's folder. */
function twoSessions(at: Scratch): void {
  const day = toldDay();
  const [a, b] = ['aaaa', 'bbbb'].map((id) => new Told(day, id, { cwd: at.root }).prompt());
  b?.read('<i>.txt', ONE);
  a?.edit('<i>.txt', ['three\n', 'three\nhunter2\n'], ONE);
  b?.write('<i>.txt', 'two\n', `${ONE}hunter2\n`);
  b?.rest();
  const own = join(at.home, '.claude/projects', at.root.replace(/[^a-zA-Z0-9]/g, '-'));
  fs.mkdirSync(own, { recursive: true });
  fs.cpSync(day.dir, own, { recursive: true });
  const other = join(at.home, '.claude/projects/-elsewhere');
  fs.mkdirSync(other);
  fs.writeFileSync(
    join(other, 'cccc.jsonl'),
    fs.readFileSync(join(own, 'aaaa.jsonl'), 'utf8').replaceAll(at.root, '/elsewhere'),
  );
}

const reportOf = (at: Scratch, ...args: readonly string[]) =>
  at.guard('simulate', '--json', ...args).json() as SimulationReport;

describe('guard simulate', () => {
  it("takes the client's own transcripts of this repository, and judges them as auto where nothing else is said", () => {
    const at = scratch({ init: null });
    twoSessions(at);
    expect(reportOf(at)).toMatchObject({
      transcripts: 2,
      sessions: 2,
      policy: { preset: 'auto', from: 'default', enforcement: 'auto' },
      denied: { calls: 1, by_error_type: { STALE_FILE: 1 } },
      lost: { proven: 1, lines: 1, would_be_denied: 1 },
      contention: { files: [{ path: '<i>.txt', agents: 2 }], directories: [{ path: '.' }] },
      side_by_side: { pairs: 1 },
    });
  });

  it('in a guarded repository by its own configuration, and by --preset where one asks', () => {
    const at = scratch({ init: ['--preset', 'standard'] });
    twoSessions(at);
    expect(reportOf(at)).toMatchObject({ policy: { preset: 'standard', from: 'repository' } });
    expect(reportOf(at).denied.by_error_type).toHaveProperty('NOT_LOCKED');
    expect(reportOf(at, '--preset', 'auto').policy).toMatchObject({ preset: 'auto', from: 'option' });
  });

  it('changes nothing: no ledger, no configuration', () => {
    const at = scratch({ init: null });
    twoSessions(at);
    const before = fs.readdirSync(at.root, { recursive: true });
    reportOf(at);
    expect(fs.readdirSync(at.root, { recursive: true })).toEqual(before);
    expect(fs.existsSync(at.state)).toBe(false);
  });

  it('exit code 0 with refusals, 1 with --ci, 0 with --ci where nothing is refused', () => {
    const at = scratch({ init: null });
    twoSessions(at);
    expect(at.guard('simulate').exit).toBe(0);
    expect(at.guard('simulate', '--ci').exit).toBe(1);
    expect(at.guard('simulate', '--ci', '--since', '1d').exit).toBe(0);
    const alone = join(at.home, '.claude/projects/-elsewhere');
    expect(at.guard('simulate', '--ci', alone).exit).toBe(0);
  });

  it('files, folders and patterns that no shell expanded', () => {
    const at = scratch({ init: null });
    twoSessions(at);
    const projects = join(at.home, '.claude/projects');
    expect(reportOf(at, projects).transcripts).toBe(3);
    expect(reportOf(at, join(projects, '*/{aaaa,cccc}.jsonl')).transcripts).toBe(2);
    expect(reportOf(at, join(projects, '-elsewhere/cccc.jsonl')).transcripts).toBe(1);
    expect(at.guard('simulate', join(projects, 'nothing')).exit).toBe(64);
    expect(at.guard('simulate', join(projects, '**/*.txt')).exit).toBe(64);
  });

  it('prints no text of a file and draws no bar into a pipe, unless it is asked for the text', () => {
    const at = scratch({ init: null });
    twoSessions(at);
    const { stdout, stderr } = at.guard('simulate');
    expect(stderr).toBe('');
    expect(stdout).toContain('guard would have denied 1 call (1 succeeded at the time)');
    expect(stdout).toContain('Provably lost: 1 line in 1 write; guard would have denied it');
    expect(stdout).not.toContain('hunter2');
    expect(at.guard('simulate', '--show').stdout).toContain('- hunter2');
  });

  it('--html writes one page that loads nothing and in which names are only text', () => {
    const at = scratch({ init: null });
    twoSessions(at);
    expect(at.guard('simulate', '--html', 'page.html', '--show').exit).toBe(0);
    const page = at.read('page.html');
    expect(page).toContain('&lt;i&gt;.txt');
    expect(page).toContain('<pre>hunter2</pre>');
    expect(page).not.toMatch(/<i>|<script|https?:|url\(/);
  });

  it('--cost measures a hook here, and says nothing of it otherwise', () => {
    const at = scratch({ init: null });
    twoSessions(at);
    expect(reportOf(at).cost).not.toHaveProperty('ms_each');
    const { hooks, ms_each = 0, seconds } = reportOf(at, '--cost').cost;
    expect(ms_each).toBeGreaterThan(0);
    expect(seconds).toBe(Math.round((hooks * ms_each) / 1000));
  });

  it('says so where there is none', () => {
    const told = scratch({ init: null }).guard('simulate', '--json');
    expect(told.exit).toBe(64);
    expect(JSON.parse(told.stdout)).toMatchObject({ error: { code: 'GUARD_ERR_USAGE' } });
  });
});
