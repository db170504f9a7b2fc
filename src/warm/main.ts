/** `node dist/serve-hooks.cjs STATE_DIR ROOT`: answers the hooks of a repository until there are no more requests. */
import { createServer, type Server } from 'node:net';
import { chmodSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { isGuardError } from '../core/error.ts';
import { loadConfig } from '../config/load.ts';
import { loadWarm } from '../config/warm.ts';
import { claimSocket } from '../http/socket-file.ts';
import { readInstall } from '../repo/install.ts';
import { locateRepo } from '../repo/locate.ts';
import { onSignals } from '../repo/on-signals.ts';
import { heldEngines } from '../store/held-engines.ts';
import { answerTo } from './answer.ts';
import { openAsIf } from './as-if.ts';
import { readNow } from '../repo/clock.ts';
import { sweepTold } from './told-once.ts';
import { serveConnections } from './connections.ts';
import { socketName, startingName, warmDir } from './place.ts';
import { keepMachine, type KeeperPlace } from './keeper.ts';
import { greeting } from './protocol.ts';
import { watch } from './watch.ts';

/** Replaced by the build with an id derived from all of guard's code. */
declare const BUILD_ID: string;

/** Added to the hook's own limit, for events accepted before; well below the client's 60 s. */
const QUEUE_S = 4;
const WAIT_MAX_S = 25;
const END_MS = 2_000;

async function start(state: string, root: string): Promise<void> {
  const state_dir = realpathSync(state);
  const repo = locateRepo(root);
  const { deadline_ms } = loadConfig({ repo, env: process.env });
  const { warm, idle_ms } = loadWarm({ repo, env: process.env });
  if (warm === false) return;
  const dir = warmDir(state_dir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  chmodSync(dir, 0o700);
  // The address of a socket is limited to 103 bytes, so it must be relative.
  process.chdir(dir);
  sweepTold(dir, readNow().wall_ms);
  const server = createServer();
  const claimed = await claimSocket(socketName(BUILD_ID));
  const end = (): void => {
    process.chdir(dir);
    claimed.free();
    rmSync(pidFile(dir), { force: true });
    server.close(() => process.exit());
    setTimeout(() => process.exit(), END_MS).unref();
  };
  const stop = once(end);
  onSignals(['SIGTERM', 'SIGINT', 'SIGHUP'], stop);
  const as_if = openAsIf();
  const engines = heldEngines();
  const limit_s = Math.min(WAIT_MAX_S, Math.ceil(deadline_ms / 1_000) + QUEUE_S);
  await claimed.bind(() => listening(server));
  writeFileSync(pidFile(dir), `${process.pid}\n`, { mode: 0o600 });
  const asked = watch({
    idle_ms,
    state_dir,
    files: [__filename, `${dir}/${socketName(BUILD_ID)}`],
    end: stop,
  });
  keepAlive({ state_dir, root: repo.root, env: { ...process.env } }, asked);
  serveConnections(server, {
    greeting: greeting(limit_s),
    answer: (request) => {
      asked();
      if (request.kind === 'E') return answerTo(request, { as_if, engines: engines.open, state_dir });
      setImmediate(stop);
      return { exit: 0, stdout: `${process.pid}`, stderr: '' };
    },
  });
  rmSync(`${dir}/${startingName(BUILD_ID)}`, { recursive: true, force: true });
}

/** On a shared ledger, the server stays as long as an agent lives on this machine. */
function keepAlive(place: KeeperPlace, asked: () => void): void {
  if (readInstall(place.state_dir).shared_as === undefined) return;
  const keeper = new Worker(__filename, { workerData: place, execArgv: [] });
  keeper.on('error', () => undefined);
  keeper.on('message', (living: number) => {
    if (living > 0) asked();
  });
}

const pidFile = (dir: string): string => `${dir}/${BUILD_ID}.pid`;

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}

const listening = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen({ path: socketName(BUILD_ID) }, () => resolve());
  });

const [state = '', root = ''] = process.argv.slice(2);
if (parentPort !== null) void keepMachine(workerData as KeeperPlace, parentPort);
else
  start(state, root).catch((error: unknown) => {
    process.stderr.write(`guard: ${isGuardError(error) ? error.message : String(error)}\n`);
    process.exit(1);
  });
