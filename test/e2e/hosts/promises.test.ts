/** Which of guard's promises hold in each other client, with the real one; generates the table of docs/hosts.md. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { PACKAGE, scratch, type Scratch } from '../../claude/driver.ts';
import { membersIn } from '../parts.ts';
import { CLIENTS, type HostClient } from './clients.ts';
import { hasNodeFor, installHost } from './install-host.ts';
import { type HostRun, LIMIT_MS, startHost } from './start-host.ts';

const FILES = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n', 'b.txt': 'alpha\nbeta\ngamma\n' };
const NO = 'no';
const WAIT_MS = 60_000;

/** The results, in the words of the table's rows. */
async function promisesOf(name: string, client: HostClient, run: Omit<HostRun, 'at' | 'client'>) {
  const at = scratch({ files: FILES, init: null });
  at.git('config', 'user.email', 'g@x.invalid');
  at.git('config', 'user.name', 'g');
  at.git('add', '-A');
  at.git('commit', '-qm', 'files');
  expect(at.guard('init', '--host', name, '--preset', 'auto').exit).toBe(0);
  // A person holds it, from a terminal.
  expect(at.guard('lock', 'try', 'b.txt').exit).toBe(0);
  const [a, b, c] = ['a.txt', 'b.txt', 'c.txt'].map((file) => at.path(file)) as [string, string, string];
  const outside = (): void => fs.writeFileSync(a, at.read('a.txt').replace('five', 'OUTSIDE'));
  const seen: string[] = [];
  const note = (): void => void seen.push(at.read('a.txt'));
  const guard = `${process.execPath} ${join(PACKAGE, 'bin/guard.cjs')}`;
  // The person waits for what the client holds, so that the client's own wait closes a cycle.
  let person: ReturnType<Scratch['startGuard']> | undefined;
  const waitForIt = (): void => {
    person = at.startGuard({}, 'lock', 'wait', 'd.txt', '--timeout', '120s');
    const end_ms = performance.now() + WAIT_MS;
    while (at.log('wait').length === 0 && performance.now() < end_ms) at.guard('--version');
  };
  let acknowledged: readonly unknown[] = [];
  const killIt = (kill: () => void): void => {
    acknowledged = at.log().map(({ id }) => id);
    kill();
  };
  const heard = await startHost({ at, client, ...run }, [
    { says: [client.read(a)] },
    { says: [client.edit(a, 'one', 'ONE')] },
    { first: outside, says: [client.edit(a, 'two', 'TWO')] },
    { first: note, says: [client.read(a)] },
    { says: [client.edit(a, 'two', 'TWO')] },
    // Qwen Code itself refuses to edit an unread file.
    { first: note, says: [client.read(b)] },
    { says: [client.edit(b, 'beta', 'BETA')] },
    { says: [client.create(c, 'new\n')] },
    { says: [client.shell(`${guard} lock try d.txt`)] },
    { first: waitForIt, says: [client.shell(`${guard} lock wait b.txt --timeout 30s`)] },
    { first: killIt, says: [] },
  ]);
  person?.signal('SIGINT');
  await person?.done;
  const agents = new Set(at.log().map(({ agent }) => String(agent)));
  const own = [...agents].filter((agent) => agent.startsWith(`${name}-`));
  const writes = at.log('write').filter(({ agent }) => own.includes(String(agent)));
  const holds = at
    .log('hold')
    .filter(({ agent, paths }) => own.includes(String(agent)) && String(paths) === 'd.txt');
  const pids = at.log('agent.join').filter(({ agent, pid }) => own.includes(String(agent)) && pid !== null);
  const ids = new Set(at.log().map(({ id }) => id));
  const isKept = acknowledged.length > 0 && acknowledged.every((id) => ids.has(id));
  const isSound = at.guard('verify').exit === 0;
  const intents = at.log('intent').filter(({ agent }) => own.includes(String(agent)));
  const ended = new Set(writes.map(({ op }) => op));
  const isFree = at.guard('lock', 'try', 'd.txt').exit === 0;
  const noticed = at.log('drift').filter(({ path }) => path === 'a.txt');
  const broken = await withoutGuard(at, client, run);
  return {
    'P1: nothing unseen is overwritten; after reading, the agent continues':
      seen[0]?.includes('two') === true &&
      seen[1]?.includes('TWO') === true &&
      at.read('a.txt').includes('OUTSIDE')
        ? 'yes'
        : NO,
    'the model sees the reason':
      /STALE_FILE|has not been read in this session/.test(heard) && heard.includes('LOCKED_BY_OTHER')
        ? 'yes'
        : NO,
    'P2, P3: what another agent holds stays as it is': at.read('b.txt') === FILES['b.txt'] ? 'yes' : NO,
    'its writes are recorded as its own': writes.length >= 3 && agents.size === own.length + 1 ? 'yes' : NO,
    'a command in its shell acts as the agent': holds.length === 1 ? 'yes' : NO,
    'its process is known': pids.length > 0 ? 'yes' : NO,
    'P4: a write is open from its approval to its end, and none stays open':
      intents.length >= 3 && intents.every(({ op }) => ended.has(op)) ? 'yes' : NO,
    'P5: after `kill -9` of the client the ledger is sound and has every record':
      isKept && isSound ? 'yes' : NO,
    'its locks are free once it was killed': isFree ? 'yes' : NO,
    'P6: no write while guard is broken, but reading works': broken,
    'P7: its wait that closes a cycle is found to be a deadlock, once':
      at.log('deadlock').length === 1 ? 'yes' : NO,
    'P8: a change that something else made is noticed and recorded': noticed.length > 0 ? 'yes' : NO,
  };
}

/** The launcher exists but finds no guard to start. */
async function withoutGuard(
  at: Scratch,
  client: HostClient,
  run: Omit<HostRun, 'at' | 'client'>,
): Promise<string> {
  at.put('.claude/guard-hook.cjs', 'process.exit(1);\n');
  const heard = await startHost({ at, client, ...run }, [
    { says: [client.read(at.path('b.txt'))] },
    { says: [client.create(at.path('e.txt'), 'new\n')] },
  ]);
  const wrote = fs.existsSync(at.path('e.txt'));
  const read = heard.includes('gamma');
  return wrote ? NO : read ? 'yes' : 'no write, and no reading';
}

/** A client's column of the table that has the clients in its header. */
function promised(name: string): Readonly<Record<string, string>> {
  const lines = fs.readFileSync(join(PACKAGE, 'docs/hosts.md'), 'utf8').split('\n');
  const rows = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  const head = rows.findIndex((cells) => cells.includes('codex') && cells.includes('opencode'));
  const column = rows[head]?.indexOf(name) ?? -1;
  const end = rows.findIndex((cells, at) => at > head && cells.length < 3);
  return Object.fromEntries(rows.slice(head + 2, end).map((cells) => [cells[1] ?? '', cells[column] ?? '']));
}

const TITLE = 'guard keeps what docs/hosts.md says';
/** Those that run with this Node; where a part of the end-to-end tests runs, a part of them. */
const able = Object.keys(CLIENTS).filter((name) => CLIENTS[name] !== undefined && hasNodeFor(CLIENTS[name]));
const others = new Set(able.filter((name) => !membersIn(inject('part'), able).includes(name)));

describe.each(Object.entries(CLIENTS))('with %s', (name, client) => {
  if (others.has(name)) {
    test.skip(TITLE);
    return;
  }
  const installed = installHost(name, client);
  if ('missing' in installed) {
    // One that this Node cannot run is no fault of the machine.
    const required = process.env['GUARD_E2E_REQUIRED'] === 'all' && hasNodeFor(client);
    process.stderr.write(`\nNOT TESTED with ${installed.missing}\n`);
    test.skipIf(!required)(`a client is there: ${installed.missing}`, () => {
      throw new Error(installed.missing);
    });
    return;
  }
  test(TITLE, { timeout: 2 * LIMIT_MS + 60_000 }, async () => {
    execFileSync('git', ['--version']);
    expect(await promisesOf(name, client, installed)).toEqual(promised(name));
  });
});
