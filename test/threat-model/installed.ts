/** guard as users have it: `guard init` with its defaults, and hooks run as the client runs them. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { readInstall } from '../../src/repo/install.ts';
import { markPlace } from '../../src/repo/known/marking.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { type Answer, answerOf } from '../claude/driver/answer.ts';
import { runLine } from '../claude/driver/hook-line.ts';
import { type Env, GUARD, runLater, runNow, scratch, type Scratch, type Setup } from '../claude/driver.ts';
import { copyTree } from '../claude/driver/scratch.ts';

/** A stand-in that reports client 2.1.330, so that every hook is installed. */
const CLIENT = join(import.meta.dirname, '../fixtures/claude');

/** A repository set up in place: scope project, preset standard, plus what `config` says. */
export function installed(setup: Pick<Setup, 'files' | 'config'> = {}): Scratch {
  const bare = scratch({ ...setup, init: null });
  const PATH = [CLIENT, bare.env['PATH']].join(delimiter);
  const guardWith: Scratch['guardWith'] = (env, ...args) => bare.guardWith({ PATH, ...env }, ...args);
  const at = { ...bare, guardWith, guard: (...args: readonly string[]) => guardWith({}, ...args) };
  for (const name of ['repo/.claude', 'repo/.git/guard', 'home'])
    copyTree(join(template(), name), join(dirname(at.root), name));
  // `guard uninstall` reverts files by absolute path; those of the template are needed by the next test.
  const undo = join(at.state, 'undo.json');
  writeFileSync(undo, readFileSync(undo, 'utf8').replaceAll(template(), dirname(at.root)));
  // guard does not trust a copied repository; this one represents a repository that was set up in place.
  const repo = locateRepo(at.root, at.env);
  markPlace(repo, at.env, readInstall(repo.state_dir));
  return started(at);
}

/** What `guard init` made in an empty repository, once per worker; otherwise it is a third of a test's time. */
const templates = new Map<'init', string>();

function template(): string {
  const known = templates.get('init');
  if (known !== undefined) return known;
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'guard-installed-')));
  process.on('exit', () => rmSync(base, { recursive: true, force: true }));
  const first = scratch({ init: null });
  copyTree(dirname(first.root), base);
  const bare = { cwd: join(base, 'repo'), env: { ...first.env, HOME: join(base, 'home') } };
  const PATH = [CLIENT, first.env['PATH']].join(delimiter);
  const told = runNow({ ...bare, args: [GUARD, 'init'], env: { ...bare.env, PATH } });
  if (told.exit !== 0) throw new Error(`guard init: ${told.stdout}${told.stderr}`);
  templates.set('init', base);
  return base;
}

/** Uses the hooks that a client starting now would find; a running client keeps the ones it started with. */
export function started(at: Scratch): Scratch {
  const { hooks = {} } = JSON.parse(readFileSync(at.path('.claude/settings.json'), 'utf8')) as Settings;
  const start = (stdin: string | Buffer, env: Env) => ({
    ...{ cwd: at.root, stdin },
    env: { ...at.env, CLAUDECODE: '1', CLAUDE_PROJECT_DIR: at.root, ...env },
  });
  const hook: Scratch['hook'] = (event, env = {}) => {
    const answers = commandsFor(hooks, event).map((command) =>
      answerOf(runLine(command, start(textOf(event), env))),
    );
    return answers.find(({ exit }) => exit !== 0) ?? answers[0] ?? UNASKED;
  };
  const startText = async (stdin: string, env: Env = {}): Promise<Answer> => {
    const [command] = commandsFor(hooks, stdin);
    if (command === undefined) return UNASKED;
    const shell = { program: '/bin/sh', args: ['-c', command] };
    return answerOf(await runLater({ ...start(stdin, env), ...shell }).done);
  };
  return { ...at, hook, startText, startHook: (event, env) => startText(JSON.stringify(event), env) };
}

/** In a session, doctor runs no hook, which takes most of its time; its findings in files are the same. */
export const IN_SESSION: Env = { CLAUDECODE: '1' };

/** The checks of `guard doctor` that fail, by name. */
export function faultsOf(at: Scratch): readonly string[] {
  const told = at.guard('doctor', '--json').json() as { results: { id: string; status: string }[] };
  return told.results.filter(({ status }) => status === 'fail').map(({ id }) => id);
}

interface Entry {
  readonly matcher?: string;
  readonly hooks: readonly { readonly command: string }[];
}

interface Settings {
  readonly hooks?: Readonly<Record<string, readonly Entry[]>>;
}

interface Event {
  readonly hook_event_name?: string;
  readonly tool_name?: string;
}

const UNASKED: Answer = {
  ...{ exit: 0, stdout: '', stderr: '', took_ms: 0 },
  ...{ denial: null, context: '', updated: null },
};

/** Each command once, as the client runs it. Anything but an event stands for a write that was mangled on its way. */
function commandsFor(hooks: Settings['hooks'], event: object | string | Buffer): readonly string[] {
  const { hook_event_name = 'PreToolUse', tool_name = 'Write' } = eventIn(event);
  const entries = (hooks?.[hook_event_name] ?? []).filter(({ matcher = '' }) => matches(matcher, tool_name));
  return [...new Set(entries.flatMap((entry) => entry.hooks.map(({ command }) => command)))];
}

const matches = (matcher: string, tool: string): boolean =>
  matcher === '' || matcher === '*' || new RegExp(`^(?:${matcher})$`).test(tool);

function eventIn(event: object | string | Buffer): Event {
  if (typeof event === 'object' && !Buffer.isBuffer(event)) return event;
  const [, hook_event_name] = /"hook_event_name":"(\w+)"/.exec(event.toString()) ?? [];
  const [, tool_name] = /"tool_name":"(\w+)"/.exec(event.toString()) ?? [];
  return {
    ...(hook_event_name === undefined ? {} : { hook_event_name }),
    ...(tool_name === undefined ? {} : { tool_name }),
  };
}

const textOf = (event: object | string | Buffer): string | Buffer =>
  typeof event === 'string' || Buffer.isBuffer(event) ? event : JSON.stringify(event);
