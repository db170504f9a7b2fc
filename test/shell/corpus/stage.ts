/** A guarded fixture with two live agents: the caller, whose commands are checked, and the holder of files. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Agent, type Event, type Fields, fire, nameOf, type Told, type Ways } from './client.ts';
import { changesBetween, pathsOf, runIn, snapshot } from './effects.ts';
import { inPlaces, type Places } from './fixture.ts';
import type { Row } from './rows.ts';

export interface Noticed {
  /** Files of the holder that the command changed. */
  readonly changed: readonly string[];
  /** Whether `drift` records name all of them. */
  readonly recorded: boolean;
  readonly offender_told: boolean;
  readonly holder_told: boolean;
}

export interface Made {
  readonly places: Places;
  /** The package under test, built. */
  readonly guard: string;
  readonly ways: Ways;
  /** The caller's session has no subagent. */
  readonly is_alone?: boolean | undefined;
}

/** The holder sends a sign of life after this much silence. */
const SILENT_MS = 20_000;

export class Stage {
  readonly places: Places;
  readonly #guard: string;
  readonly #ways: Ways;
  readonly #children: ChildProcess[] = [];
  readonly #holder: Agent;
  readonly #caller: Agent;
  #held: readonly string[] = [];
  #heard_ms = 0;
  #calls = 0;

  constructor({ places, guard, ways, is_alone = false }: Made) {
    this.#guard = guard;
    this.#ways = ways;
    this.places = places;
    // `guard init` writes files that teams commit. Exclude them, so that the history stays the same.
    fs.mkdirSync(join(this.places.root, '.git/info'), { recursive: true });
    fs.appendFileSync(join(this.places.root, '.git/info/exclude'), '/.claude/\n/guard.config.json\n');
    const PATH = [join(guard, 'test/fixtures/claude'), this.places.env['PATH']].join(delimiter);
    this.#run({ ...this.places.env, PATH }, 'init');
    [this.#holder, this.#caller] = [this.#agent('holder'), this.#agent('caller')];
    for (const agent of [this.#holder, this.#caller])
      this.#fire(agent, '.', { hook_event_name: 'UserPromptSubmit', prompt: 'go' });
    if (!is_alone)
      this.#fire({ ...this.#caller, subagent: SUBAGENT }, '.', { hook_event_name: 'SubagentStart' });
  }

  close(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }

  /** Makes the holder lock exactly these files. */
  hold(files: readonly string[]): void {
    this.#hear();
    if (JSON.stringify(files) === JSON.stringify(this.#held)) return;
    if (this.#held.length > 0) this.#lock(this.#holder, 'release', '--all-held');
    if (files.length > 0)
      this.#lock(this.#holder, 'try', ...files.map((file) => join(this.places.root, file)));
    this.#held = files;
  }

  /** Asks PreToolUse about the row's command; a call that is allowed ends as if it had printed nothing. */
  ask(row: Row): Told {
    this.hold(row.held);
    const call = this.#call(row);
    const told = this.#pre(row, call);
    if (!told.denied) this.#fire(this.#from(row), row.cwd, { ...call, ...ended('') });
    return told;
  }

  /** Runs the command between PreToolUse and PostToolUse; null if it was denied. */
  async perform(row: Row): Promise<Noticed | null> {
    this.hold(row.held);
    for (const file of row.held) this.#read(file);
    const call = this.#call(row);
    const told = this.#pre(row, call);
    if (told.denied) return null;
    const before = snapshot(this.places.root);
    const { exit, output } = await runIn(this.places, row.cwd, told.command ?? row.command);
    const touched = pathsOf(changesBetween(before, snapshot(this.places.root)));
    const changed = row.held.filter((file) => touched.includes(file));
    const post = this.#fire(this.#from(row), row.cwd, {
      ...call,
      ...(exit === 0 ? ended(output) : failed(exit, output)),
    });
    const next = this.#fire(this.#holder, '.', { hook_event_name: 'UserPromptSubmit', prompt: 'go on' });
    const log = this.#run(this.places.env, 'log', '--json', '--type', 'drift');
    const named = (text: string): boolean =>
      changed.length > 0 && changed.every((file) => text.includes(file));
    return { changed, recorded: named(log), offender_told: named(post.text), holder_told: named(next.text) };
  }

  /** PreToolUse's answer to an Edit of `file` by the caller; an allowed Edit is ended. */
  edit(file: string): Told {
    const file_path = join(this.places.root, file);
    const tool_input = { file_path, old_string: 'a', new_string: 'a', replace_all: false };
    const call = { tool_name: 'Edit', tool_input, tool_use_id: this.#id() };
    const told = this.#fire(this.#caller, '.', { hook_event_name: 'PreToolUse', ...call });
    if (told.denied) return told;
    const originalFile = fs.readFileSync(file_path, 'utf8');
    const tool_response = {
      filePath: file_path,
      oldString: 'a',
      newString: 'a',
      originalFile,
      structuredPatch: [],
    };
    this.#fire(this.#caller, '.', { ...call, hook_event_name: 'PostToolUse', tool_response, duration_ms: 5 });
    return told;
  }

  /** PreToolUse's answer to an Edit of a file that the caller has locked. */
  timeEdit(file: string): Told {
    this.#lock(this.#caller, 'try', join(this.places.root, file));
    const told = this.edit(file);
    if (told.denied) throw new Error(`the Edit was denied: ${told.text}`);
    return told;
  }

  #from = (row: Row): Agent =>
    row.as === 'subagent' ? { ...this.#caller, subagent: SUBAGENT } : this.#caller;

  #call = ({ command }: Row): Fields => ({
    tool_name: 'Bash',
    tool_input: { command: inPlaces(command, this.places), description: 'work' },
    tool_use_id: this.#id(),
  });

  #id = (): string => `toolu_corpus_${(this.#calls += 1)}`;

  #pre = (row: Row, call: Fields): Told =>
    this.#fire(this.#from(row), row.cwd, { hook_event_name: 'PreToolUse', ...call });

  /** Lets the holder see a file. */
  #read(file: string): void {
    const file_path = join(this.places.root, file);
    if (!fs.existsSync(file_path)) return;
    const content = fs.readFileSync(file_path, 'utf8');
    const lines = content.split('\n').length;
    const shown = { filePath: file_path, content, numLines: lines, startLine: 1, totalLines: lines };
    this.#fire(this.#holder, '.', {
      ...{ hook_event_name: 'PostToolUse', tool_name: 'Read', tool_input: { file_path } },
      ...{ tool_response: { type: 'text', file: shown }, tool_use_id: this.#id(), duration_ms: 5 },
    });
  }

  #hear(): void {
    if (Date.now() - this.#heard_ms < SILENT_MS) return;
    this.#read('package.json');
    this.#heard_ms = Date.now();
  }

  #agent(name: string): Agent {
    const child = spawn('sleep', ['7200'], { stdio: 'ignore' });
    this.#children.push(child);
    if (child.pid === undefined) throw new Error('no sleep');
    return { session: `00000000-0000-4000-8000-${Buffer.from(name).toString('hex')}`, pid: child.pid };
  }

  #fire = (agent: Agent, cwd: string, event: Event): Told =>
    fire(this.places, { agent, cwd, event }, this.#ways);

  #lock = (agent: Agent, ...args: readonly string[]): string =>
    this.#run(this.places.env, 'lock', ...args, '--agent', nameOf(agent));

  #run = (env: Places['env'], ...args: readonly string[]): string => {
    const around = { cwd: this.places.root, env, stdin: '' };
    const { exit, stdout, stderr } = this.#ways.node([join(this.#guard, 'bin/guard.cjs'), ...args], around);
    if (exit !== 0) throw new Error(`guard ${args.join(' ')}: ${String(exit)} ${stdout}${stderr}`);
    return stdout;
  };
}

const SUBAGENT = 'a18e5550b4e0f8514';

const ended = (stdout: string): Event => ({
  hook_event_name: 'PostToolUse',
  tool_response: { stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
  duration_ms: 9,
});

const failed = (exit: number | null, output: string): Event => ({
  hook_event_name: 'PostToolUseFailure',
  error: `Exit code ${exit ?? 137}\n${output}`,
  ...{ is_interrupt: false, duration_ms: 9 },
});
