/** One input through every face of an operation, and each face's answer. */
import { workspaceAround } from '../../src/cli/workspace.ts';
import { callerOf } from '../../src/cli/caller.ts';
import { runProgram } from '../../src/cli/program.ts';
import type { Shell } from '../../src/cli/shell.ts';
import { openWaiters } from '../../src/locks/waiters.ts';
import type { InputFields } from '../../src/operations/field.ts';
import { failureOf, type Operation, readFor, withNotes } from '../../src/operations/operation.ts';
import { scratch, type Scratch } from '../claude/driver.ts';
import { SILENT_SHELL } from '../cli/silent-shell.ts';
import { type Ask, serve as serveHttp, type Server as HttpServer } from '../http/server.ts';
import { serve as serveMcp, type Server as McpServer } from '../mcp/client.ts';

export type Input = Readonly<Record<string, unknown>>;
export type Json = Readonly<Record<string, unknown>>;

/** A face's answer: its JSON, or the code of a refusal and the field that it names. */
export type Said =
  | { readonly answer: Json }
  | { readonly code: string; readonly field: string | null; readonly message: string };

/** The part that faces must agree on: `of(answer)` for an answer, the code and field for a refusal. */
export const essenceOf =
  (of: (answer: Json) => unknown) =>
  (said: Said): unknown =>
    'code' in said ? `${said.code} ${said.field}` : of(said.answer);

export interface Faces {
  readonly at: Scratch;
  direct<F extends InputFields, R extends object>(
    op: Operation<F, R>,
    agent: string,
    input: Input,
  ): Promise<Said>;
  mcp(tool: string, agent: string, input: Input): Promise<Said>;
  http(path: string, agent: string, body: Input): Promise<Said>;
  /** POST requests carry the body; others have none. */
  ask(method: string, path: string, agent: string, body: Input): Promise<Said>;
  cli(agent: string, ...words: readonly string[]): Promise<Said>;
}

export async function openFaces(): Promise<Faces> {
  const at = scratch();
  const [mcp, http] = [await serveMcp(at), await serveHttp(at)];
  return {
    at,
    direct: (op, agent, input) => direct(at, op, agent, input),
    mcp: (tool, agent, input) => overMcp(mcp, tool, agent, input),
    http: (path, agent, body) => overHttp(http, 'POST', path, { agent, body }),
    ask: (method, path, agent, body) =>
      overHttp(http, method, path, method === 'POST' ? { agent, body } : { agent }),
    cli: (agent, ...words) => asCommand(at, [...words, '--agent', agent, '--json']),
  };
}

async function direct<F extends InputFields, R extends object>(
  at: Scratch,
  op: Operation<F, R>,
  agent: string,
  given: Input,
): Promise<Said> {
  const space = workspaceAround(shellAt(at));
  try {
    return await directly(op, given, () => ({ ...space, who: callerOf(space, agent) }));
  } finally {
    space.close();
  }
}

/** Runs the operation directly on any kind of workspace. */
export async function directly<F extends InputFields, R extends object, At>(
  op: Operation<F, R, At>,
  given: Input,
  on: () => At,
): Promise<Said> {
  try {
    const { input, notes } = readFor(op, given);
    const around = { signal: new AbortController().signal, release: () => '', waiters: openWaiters() };
    return { answer: withNotes(await op.run(input, on(), around), notes) as unknown as Json };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return refused(failure.error);
  }
}

const refused = ({ code, message, facts }: { code: string; message: string; facts: Json }): Said => ({
  code,
  message,
  field: typeof facts['field'] === 'string' ? facts['field'] : null,
});

export async function overMcp({ as }: McpServer, tool: string, agent: string, input: Input): Promise<Said> {
  const told = (await as(agent).call(tool, input)) as unknown as Json;
  return told['error'] === undefined ? { answer: told } : refused(told['error'] as never);
}

async function overHttp(server: HttpServer, method: string, path: string, asked: Ask): Promise<Said> {
  const reply = await server.ask(method, path, asked);
  if (reply.status < 300) return { answer: reply.body };
  const { error_code = '', message, field = null } = reply.body;
  return { code: error_code, message: String(message), field: field as string | null };
}

export async function asCommand(at: Pick<Scratch, 'root' | 'env'>, words: readonly string[]): Promise<Said> {
  const printed: unknown[] = [];
  await runProgram(words, { ...shellAt(at), json: (value) => void printed.push(value) }, '0');
  const told = printed[0] as Json;
  return told['error'] === undefined ? { answer: told } : refused(told['error'] as never);
}

export const shellAt = ({ root, env }: Pick<Scratch, 'root' | 'env'>): Shell => ({
  ...SILENT_SHELL,
  cwd: root,
  env,
});
