/** `guard serve`: reservations, messages and negotiation over HTTP, on loopback and a Unix socket. */
import { type Command, InvalidArgumentError } from 'commander';
import { isAbsolute, join, resolve } from 'node:path';
import { projectOf } from '../../operations/project.ts';
import { GuardError } from '../../core/error.ts';
import type { ServeOptions } from '../../http/serve.ts';
import { guardVersion } from '../../install/guard-root.ts';
import { act } from '../act.ts';
import { EXIT } from '../exit.ts';
import { workspaceAround } from '../workspace.ts';
import { requirePerson } from '../require-person.ts';
import { servedProject } from '../served.ts';
import { pageAddress, pageOf, tellOfNext } from '../serve-page.ts';
import { tell } from '../serve-told.ts';
import type { Shell } from '../shell.ts';
import { type HookServing, serveHooks } from './serve-hooks.ts';
import { SERVER_SIGNALS, untilStopped } from '../until-stopped.ts';

interface Options extends HookServing {
  readonly host: string;
  readonly port: number;
  readonly socket?: string | false;
  readonly tcp: boolean;
  readonly token: boolean;
  readonly tokenFile?: string;
  readonly sessions?: boolean;
  readonly ui?: boolean;
}

const PORT = 7338;

export function define(command: Command, shell: Shell): void {
  command
    .option(
      '--host <address>',
      'loopback address to listen on: 127.0.0.1, ::1 or localhost',
      loopback,
      '127.0.0.1',
    )
    .option('--port <number>', 'TCP port; 0 picks a free one', portOf, PORT)
    .option('--no-tcp', 'listen on the socket only')
    .option('--socket <path>', 'Unix socket (default: INTERMUTE_SOCKET, else in the state directory)')
    .option('--no-socket', 'listen on TCP only')
    .option('--token-file <path>', 'where the TCP token is stored (default: in the state directory)')
    .option('--no-token', 'require no token on TCP: any program on this machine may call')
    .option('--sessions', 'let clients act for agents that have their own session or process')
    .option('--ui', 'also serve a page for a browser on this machine, and print its address')
    .option('--hooks', 'answer hooks instead; started by the launcher of guard init --warm')
    .option('--stop', 'end the servers that answer hooks here')
    .option('--json', 'print the addresses as JSON');
  act<Options>(command, shell, async ({ options }) => {
    if (options.hooks ?? options.stop) return serveHooks(options, shell);
    if (options.sessions === true) requirePerson('guard serve --sessions', shell.env);
    if (!options.token) requirePerson('guard serve --no-token', shell.env);
    const page = options.ui === true ? await pageOf(options, shell) : null;
    const { serveHttp, openapiDocument } = await import('../../http/serve.ts');
    const space = workspaceAround(shell);
    const project = projectOf(space);
    const places = await placesOf(options, shell, space.repo.state_dir);
    const version = guardVersion();
    const served = servedProject(shell, {
      version,
      document: openapiDocument(version),
      sessionsToo: options.sessions === true,
    });
    const serving = await serveHttp(served, page === null ? places.serve : { ...places.serve, page });
    const address = page === null ? undefined : pageAddress(serving, page.keys);
    tell(serving, { project, token_file: places.token_file, options, page: address }, shell);
    if (page !== null) tellOfNext(serving, page.keys, shell);
    await untilStopped(stopped, SERVER_SIGNALS);
    await serving.end();
    return EXIT.yes;
  });
}

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }));

function loopback(given: string): string {
  if (given === 'localhost') return '127.0.0.1';
  if (given === '127.0.0.1' || given === '::1') return given;
  throw new InvalidArgumentError('It must be a loopback address: 127.0.0.1, ::1 or localhost.');
}

function portOf(given: string): number {
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}

interface Places {
  readonly serve: ServeOptions;
  readonly token_file: string | null;
}

async function placesOf(options: Options, shell: Shell, state_dir: string): Promise<Places> {
  if (!options.tcp && options.socket === false)
    throw new GuardError(
      'GUARD_ERR_USAGE',
      'There is nothing to listen on.',
      'Leave out --no-tcp or --no-socket.',
    );
  const { tokenIn } = await import('../../http/token.ts');
  const { host, port } = options;
  const token_file =
    options.tcp && options.token
      ? resolve(shell.cwd, options.tokenFile ?? join(state_dir, 'serve.token'))
      : null;
  const token = token_file === null ? null : tokenIn(token_file);
  const tcp = options.tcp ? { host, port, token } : null;
  return { serve: { tcp, socket: await socketOf(options, shell, state_dir) }, token_file };
}

async function socketOf({ socket }: Options, { cwd, env }: Shell, state_dir: string): Promise<string | null> {
  if (socket === false) return null;
  if (socket !== undefined) return resolve(cwd, socket);
  const wanted = env['INTERMUTE_SOCKET'];
  if (wanted !== undefined && isAbsolute(wanted)) return wanted;
  const { defaultSocket } = await import('../../http/socket-path.ts');
  return defaultSocket(state_dir, env);
}
