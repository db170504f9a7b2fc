// The story, step by step. Every `check` compares a statement with what really happened.
import { statSync, utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAgent } from './agent.mjs';
import { sha256 } from './stage.mjs';

const PRICE = 'src/price.mjs';
const TAX = 'src/tax.mjs';
const PRICE_TEXT = 'export const gross = (net) => net * 1.19;\nexport const shipping = 5;\n';
const TAX_TEXT = 'export const vat = 0.19;\n';
/** Ada's change, in three words of two lines that the other change leaves alone. */
const [FROM, TO] = ['net * 1.19', 'net * (1 + vat)'];

export async function play(stage, screen) {
  const { step, say, check, json } = screen;
  const [ada, bob] = ['ada', 'bob'].map((session) => openAgent(stage, session));
  const lockRows = async (...names) => (await stage.guardJson(['lock', 'status', ...names])).results;
  const baselineOf = async (agent, name) => {
    const event = JSON.stringify(agent.editEvent(name, FROM, TO));
    const input = { input: event, more_env: { CLAUDE_PID: String(process.pid) } };
    return (await stage.guardJson(['explain'], input)).targets[0].baseline;
  };

  screen.title(`Two agents, ada and bob, in one scratch repository: ${stage.repo}`);
  stage.write(PRICE, PRICE_TEXT);
  stage.write(TAX, TAX_TEXT);
  // Whole seconds, because utimes(2) through a double loses nanoseconds.
  utimesSync(stage.path(PRICE), 1_700_000_000, 1_700_000_000);
  stage.git('init', '--quiet');

  await step('guard init', async () => {
    const { exit, stderr } = await stage.guard(['init']);
    say(stderr.trim().split('\n').slice(0, 3).join('\n'), 'dim');
    check('exit code 0', exit, 0);
    const settings = JSON.parse(stage.read('.claude/settings.json'));
    const [writes] = settings.hooks.PreToolUse;
    check('guard is asked before every Edit and Write', writes.matcher.startsWith('Edit|Write|'));
    check(
      'a hook that fails blocks the write',
      [writes.hooks[0].onFailure, / \|\| \{ .*exit 2; \}$/.test(writes.hooks[0].command)],
      ['block', true],
    );
  });

  await step('Both agents start a session and get a prompt', async () => {
    const told = [await ada.start('Take the rate from tax.mjs.'), await bob.start('Make shipping free.')];
    say(told[0], 'dim');
    check(
      'both were told how to lock files',
      told.map((text) => text.includes('guard lock try FILE...')),
      [true, true],
    );
  });

  await step(`ada reads ${PRICE}, and guard records its baseline`, async () => {
    const { ms } = await ada.read(PRICE);
    const baseline = await baselineOf(ada, PRICE);
    say(`baseline ${baseline.digest}, taken by a hook in ${Math.round(ms)} ms`);
    check('the baseline is the SHA-256 of what ada saw', baseline.digest, sha256(PRICE_TEXT));
  });

  const changed = PRICE_TEXT.replace('shipping = 5', 'shipping = 7');
  await step(`Someone else changes ${PRICE}`, async () => {
    const { atime, mtime, mtimeMs, size } = statSync(stage.path(PRICE));
    stage.write(PRICE, changed);
    utimesSync(stage.path(PRICE), atime, mtime);
    const now = statSync(stage.path(PRICE));
    check(
      'same size, same modification time: only the content differs',
      [now.size, now.mtimeMs],
      [size, mtimeMs],
    );
  });

  await step('ada edits what she read, and is denied', async () => {
    const { denial, exit, ms } = await ada.edit(PRICE, FROM, TO);
    json(denial);
    check(`exit code 2, after ${Math.round(ms)} ms`, exit, 2);
    check('error_type is STALE_FILE', denial.error_type, 'STALE_FILE');
    check('baseline_hash is what ada saw', denial.details.baseline_hash, sha256(PRICE_TEXT));
    check('current_disk_hash is what is on disk', denial.details.current_disk_hash, sha256(changed));
    check('the file is untouched', stage.read(PRICE), changed);
  });

  await step(`ada reads ${PRICE} again`, async () => {
    const { content } = await ada.read(PRICE);
    check('she sees the change', content, changed);
    check('her baseline is the new content', (await baselineOf(ada, PRICE)).digest, sha256(changed));
  });

  const command = await step('ada edits without a lock, and is denied', async () => {
    const { denial, ms } = await ada.edit(PRICE, FROM, TO);
    say(`${denial.error_type}: ${denial.message}`, 'yellow');
    check(`error_type is NOT_LOCKED, after ${Math.round(ms)} ms`, denial.error_type, 'NOT_LOCKED');
    check('the file is untouched', stage.read(PRICE), changed);
    return denial.details.next[0];
  });

  await step('ada runs the command that the denial named', async () => {
    say(`$ ${command}`);
    const { exit, stdout, stderr } = await (await ada.bash(command)).ended;
    say(`${stdout}${stderr}`.trim());
    check('exit code 0', exit, 0);
    const [row] = await lockRows(PRICE);
    check(`ada holds ${PRICE}`, row.holder, ada.id);
  });

  const both = changed.replace(FROM, TO);
  await step('ada edits again, and the write succeeds', async () => {
    const { denial, ms } = await ada.edit(PRICE, FROM, TO);
    check(`no denial, after ${Math.round(ms)} ms`, denial, null);
    check('both changes are in the file', stage.read(PRICE), both);
    const [record] = await records('write');
    const { agent, digest, content, original } = record;
    const wanted = { agent: ada.id, digest: sha256(both), content: 'as_expected', original: 'same' };
    check(
      'the ledger records who wrote what, and that nothing was overwritten',
      { agent, digest, content, original },
      wanted,
    );
  });

  await step('bob reads the same file and edits it; the denial names the holder', async () => {
    await bob.read(PRICE);
    const { denial, ms } = await bob.edit(PRICE, 'shipping = 7', 'shipping = 0');
    say(`${denial.error_type}: ${denial.message}`, 'yellow');
    check(`error_type is LOCKED_BY_OTHER, after ${Math.round(ms)} ms`, denial.error_type, 'LOCKED_BY_OTHER');
    check('the holder is ada', denial.details.holder, ada.id);
    check('the file is untouched', stage.read(PRICE), both);
  });

  const [ada_waits, bob_waits] = await step(
    'bob locks the other file, then they wait for each other; one is told to give way',
    async () => {
      check(`bob has ${TAX}`, (await (await bob.bash(`guard lock try ${TAX}`)).ended).exit, 0);
      const waits = [await ada.bash(`guard lock wait ${TAX}`), await bob.bash(`guard lock wait ${PRICE}`)];
      say(`ada $ ${waits[0].command}\nbob $ ${waits[1].command}`);
      return [waits[0], await waits[1].ended];
    },
  );

  const release = await step('bob, who joined later, gets the command that lets ada continue', async () => {
    say(bob_waits.stderr.trimEnd(), 'yellow');
    check('his wait ended without the lock', bob_waits.exit, 1);
    const told = /Run: (guard lock release .*)$/m.exec(bob_waits.stderr)?.[1];
    check('he is told what to release', told, `guard lock release ${stage.path(TAX)}`);
    return told;
  });

  await step('guard deadlock', async () => {
    const found = await stage.guard(['deadlock', '--json']);
    const [cycle, ...more] = JSON.parse(found.stdout).cycles;
    say((await stage.guard(['deadlock'])).stdout.trimEnd());
    check('exit code 1', found.exit, 1);
    check(
      'there is one cycle, of ada and bob',
      [[...(cycle?.agents ?? [])].sort(), more.length],
      [[ada.id, bob.id], 0],
    );
    check('bob is the one that must give way', cycle?.victim, bob.id);
  });

  await step('bob runs it, and ada gets the lock', async () => {
    await (
      await bob.bash(release)
    ).ended;
    check('ada got the lock she was waiting for', (await ada_waits.ended).exit, 0);
    const rows = await lockRows(PRICE, TAX);
    check(
      'ada holds both files',
      rows.map(({ holder }) => holder),
      [ada.id, ada.id],
    );
    check('guard deadlock no longer finds a cycle', (await stage.guard(['deadlock'])).exit, 0);
  });

  await step('guard log --type write.rejected', async () => {
    const rejected = await records('write.rejected');
    say((await stage.guard(['log', '--type', 'write.rejected'])).stdout.trimEnd());
    const types = rejected.map(({ agent, denial }) => [agent, denial.error_type]);
    check('every denied write is in the ledger, with its denial', types, [
      [ada.id, 'STALE_FILE'],
      [ada.id, 'NOT_LOCKED'],
      [bob.id, 'LOCKED_BY_OTHER'],
    ]);
  });

  await step('guard status', async () => {
    const { exit, stdout } = await stage.guard(['status']);
    say(stdout.trimEnd());
    check('exit code 0', exit, 0);
  });

  await step('Both end their turns', async () => {
    await ada.stop();
    await bob.stop();
    check('their locks are released within a few seconds', await noLockRows(), []);
    check('every byte of the ledger is intact', (await stage.guard(['verify'])).exit, 0);
  });

  screen.title(`\n${timings(stage.hookTimes(), await emptyNodes())}`);

  /** The client may continue a turn for a moment after its end. */
  async function noLockRows() {
    for (const until = Date.now() + 10_000; ; await sleep(250)) {
      const rows = await lockRows();
      if (rows.length === 0 || Date.now() > until) return rows;
    }
  }

  async function emptyNodes() {
    const times = [];
    for (let run = 0; run < 7; run++) times.push((await stage.run(process.execPath, ['-e', '0'])).ms);
    return times;
  }

  async function records(type) {
    const { stdout } = await stage.guard(['log', '--json', '--type', type]);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }
}

/** Whole processes, started by a shell, on this machine with its present load. */
function timings(hooks, empties) {
  const [hook, empty] = [hooks, empties].map(
    (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)],
  );
  return `${hooks.length} hook processes took ${Math.round(hook)} ms each (median); an empty Node process takes ${Math.round(empty)} ms here.`;
}
