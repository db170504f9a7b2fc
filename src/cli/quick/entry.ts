/**
 * What bin/guard.cjs starts first. The calls that agents make all day each run from a small bundle, in a quarter of the
 * time that the whole program takes as modules; all others run from one bundle with everything, in half of it. Each call
 * has its own compiled form, because calls run different parts of a bundle.
 */
import fs from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { keepCompiled, load, type Program } from '../../repo/compiled.ts';

interface Quick {
  default(argv: readonly string[]): Promise<number | null>;
  /** For frequent calls, whose process has nothing left to wait for. */
  readonly endProcess?: (code: number) => never;
}

interface Row {
  readonly bundle: string;
  /** Its subcommands, if it has any. */
  readonly verbs?: readonly string[];
}

const help: Row = { bundle: 'help' };
const HELP = ['', '--help', '-h', 'help', '--version', '-V'];

const coordination: Row = { bundle: 'coordination' };
const reserve: Row = { bundle: 'reserve' };

const ROWS: Readonly<Record<string, Row>> = {
  lock: { bundle: 'lock', verbs: ['try', 'wait', 'release', 'status'] },
  status: { bundle: 'status' },
  statusline: { bundle: 'statusline' },
  message: { ...coordination, verbs: ['send', 'inbox', 'thread', 'ack', 'settings'] },
  ...{ reserve, unreserve: reserve },
  ...{ reservations: coordination, conflicts: coordination, agents: coordination },
};

/** False: nothing was done, and no file here can do it. Frequent calls exit the process; others end when nothing is left. */
export async function quick(argv: readonly string[]): Promise<boolean> {
  const [name = '', verb = ''] = argv;
  const row =
    argv.length < 2 && HELP.includes(name) ? help : Object.hasOwn(ROWS, name) ? ROWS[name] : undefined;
  if (row !== undefined && row.verbs?.includes(verb) !== false) {
    const use = row === help ? '' : row.verbs === undefined ? `-${name}` : `-${name}-${verb}`;
    await run(argv, `quick-${row.bundle}`, use);
  }
  if (!canKeep()) return false;
  const use = /^[a-z][a-z-]*$/.test(name) ? `-${name}` : '';
  const code = await run(argv, 'whole', use, SERVERS.includes(name));
  process.exitCode = code ?? FAILED;
  return code !== null;
}

/** Without a stored compiled form, one file with everything is slower for a small command than the few modules it needs. */
const canKeep = (): boolean => attempt(() => (fs.accessSync(__dirname, fs.constants.W_OK), true), false);

/** `null` if nothing was done. */
async function run(
  argv: readonly string[],
  bundle: string,
  use: string,
  is_server = false,
): Promise<number | null> {
  const program: Program = new Map();
  const loaded = attempt(() => load(`${__dirname}/${bundle}.cjs`, program, use) as Quick, null);
  if (loaded === null) return null;
  // A server may be killed, and then never reaches its end.
  if (is_server) setTimeout(() => keepCompiled(program, () => true), BEGUN_MS).unref();
  const code = await loaded.default(argv);
  if (code !== null && !is_server) keepCompiled(program, () => code < FAILED);
  if (code !== null) loaded.endProcess?.(code);
  return code;
}

const SERVERS = ['mcp', 'serve'];
/** By then a server has announced what it offers, and most have answered a request. */
const BEGUN_MS = 500;

/** A failure ran other code than the usual calls do. */
const FAILED = 2;
