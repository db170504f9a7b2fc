/** The published clients, each in a cache directory outside the checkout; no install script runs. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HostClient } from './clients.ts';

export type Installed = { readonly command: readonly string[] } | { readonly missing: string };

/** `GUARD_E2E_NODE` names a Node for clients that need a newer one than the tests use. */
const runner = process.env['GUARD_E2E_NODE'] ?? process.execPath;

export function hasNodeFor({ node = 0 }: HostClient): boolean {
  const version = execFileSync(runner, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)/.exec(version)?.[1]) >= node;
}

export function installHost(name: string, client: HostClient): Installed {
  const { packages, program, node = 0 } = client;
  if (!hasNodeFor(client)) return { missing: `${name} needs Node ${node}; GUARD_E2E_NODE names one` };
  const [wanted = ''] = packages;
  const cache = join(tmpdir(), `guard-e2e-host-${name}-${wanted.slice(wanted.lastIndexOf('@') + 1)}`);
  const modules = join(cache, 'node_modules');
  try {
    if (!fs.existsSync(modules)) fetch(cache, packages);
    const file = programIn(modules, program);
    return { command: /\.[cm]?js$/.test(file) ? [runner, file] : [file] };
  } catch (error) {
    return { missing: `${name}: ${error instanceof Error ? error.message.slice(0, 400) : String(error)}` };
  }
}

/** First into a temporary directory, so that two concurrent installers leave one complete client behind. */
function fetch(cache: string, packages: readonly string[]): void {
  const fresh = fs.mkdtempSync(`${cache}.new-`);
  fs.writeFileSync(join(fresh, 'package.json'), '{"private":true}\n');
  const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    execFileSync('npm', [...options, ...packages], {
      cwd: fresh,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 240_000,
    });
    fs.rmSync(cache, { recursive: true, force: true });
    fs.renameSync(fresh, cache);
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true });
  }
}

/** `package.json#name`: the path that the package gives for its program. */
function programIn(modules: string, program: string): string {
  const [path = '', bin] = program.split('#');
  const file = join(modules, path);
  if (!fs.existsSync(file)) throw new Error(`its package has no program for this platform (${path})`);
  if (bin === undefined) return file;
  const { bin: bins } = JSON.parse(fs.readFileSync(file, 'utf8')) as { bin: Record<string, string> };
  return join(dirname(file), bins[bin] ?? '');
}
