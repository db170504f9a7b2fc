/**
 * What bin/guard.cjs starts first: the calls that agents make all day, from a bundled file and its compiled form, a quarter of
 * what the whole program takes. Each call has a compiled form of its own: of a bundle they run different parts.
 */
import { attempt } from '../../core/attempt.ts';
import { keepCompiled, load, type Program } from '../../repo/compiled.ts';

interface Quick {
  default(argv: readonly string[]): Promise<number | null>;
}

interface Row {
  readonly bundle: string;
  /** Its sub-commands, where there are some. */
  readonly verbs?: readonly string[];
}

const help: Row = { bundle: 'help' };
const HELP = ['', '--help', '-h', 'help', '--version', '-V'];

const coordination: Row = { bundle: 'coordination' };

const ROWS: Readonly<Record<string, Row>> = {
  lock: { bundle: 'lock', verbs: ['try', 'wait', 'release', 'status'] },
  status: { bundle: 'status' },
  message: { ...coordination, verbs: ['send', 'inbox', 'thread', 'ack', 'settings'] },
  ...{ reserve: coordination, unreserve: coordination, reservations: coordination },
  ...{ conflicts: coordination, agents: coordination },
};

/** False: nothing was done, this one is for the whole program. Else the process ends here. */
export async function quick(argv: readonly string[]): Promise<false> {
  const [name = '', verb = ''] = argv;
  const row =
    argv.length < 2 && HELP.includes(name) ? help : Object.hasOwn(ROWS, name) ? ROWS[name] : undefined;
  if (row === undefined || row.verbs?.includes(verb) === false) return false;
  const program: Program = new Map();
  const use = row === help ? '' : row.verbs === undefined ? `-${name}` : `-${name}-${verb}`;
  const file = `${__dirname}/quick-${row.bundle}.cjs`;
  const bundle = attempt(() => load(file, program, use) as Quick, null);
  const code = bundle === null ? null : await bundle.default(argv);
  if (code === null) return false;
  keepCompiled(program, () => code < FAILED);
  // All is written and closed: what Node would tidy up now costs 2 to 3 ms.
  process.exit(code);
}

/** What went wrong ran other code than what is called all day. */
const FAILED = 2;
