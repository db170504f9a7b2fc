/**
 * Called by the hooks of a drafted agent whose supervisor is gone (agent-hooks.ts). Nothing reads the client's output any
 * more, and a broken pipe cannot be reattached, so the agent is ended and its end is recorded. `alone.mjs [end]`
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { asText, parsedObject } from '../core/json-object.ts';
import { locateRepo } from '../repo/locate.ts';
import { inherited } from './client-call.ts';
import { reconcile } from './reconcile.ts';
import { patiently } from './retry-while-busy.ts';
import { openHarness } from './workspace.ts';

/** Time for the client to read the answer and write down what it has. */
const ANSWER_MS = 500;
const WORDS = 'The supervisor of this agent is gone, so guard ends the agent.';

if (process.argv[2] === 'end') await endLeft();
else tell();

function tell(): void {
  const event = parsedObject(readFileSync(0, 'utf8'));
  const [program = ''] = process.argv.slice(1);
  // Started outside the agent's process group and without its mark, so that it outlives what it ends.
  const ending = spawn(process.execPath, [program, 'end'], {
    env: inherited(process.env),
    stdio: 'ignore',
    detached: true,
  });
  ending.unref();
  if (asText(event['hook_event_name']) !== 'PreToolUse') return;
  const denied = { permissionDecision: 'deny', permissionDecisionReason: WORDS };
  process.stdout.write(
    JSON.stringify({
      continue: false,
      stopReason: WORDS,
      hookSpecificOutput: { hookEventName: 'PreToolUse', ...denied },
    }),
  );
}

async function endLeft(): Promise<void> {
  await sleep(ANSWER_MS);
  await patiently(() => {
    const space = openHarness(locateRepo(process.cwd()), process.env);
    try {
      reconcile(space);
    } finally {
      space.close();
    }
  });
}
