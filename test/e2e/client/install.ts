import { execFileSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** The client on which the facts in test/e2e/facts were measured. */
export const CLIENT_VERSION = process.env['GUARD_E2E_CLIENT_VERSION'] ?? '2.1.330';

/** A client to run, or the reason why there is none. */
export type Client =
  | { readonly binary: string; readonly version: string; readonly missing: null }
  | { readonly binary: null; readonly version: string; readonly missing: string };

/**
 * The published client from the npm registry, in a cache directory outside the checkout. Its platform package has a
 * native binary, so no install script runs; clients up to 2.1.100 have none and are a Node program.
 * GUARD_E2E_CLIENT names another binary.
 */
export function installClient(version: string = CLIENT_VERSION): Client {
  const given = process.env['GUARD_E2E_CLIENT'];
  if (given !== undefined && given !== '') return check(given, version);
  const cache = join(tmpdir(), `guard-e2e-client-${version}`);
  const there = programIn(cache);
  if (there !== undefined) return check(there, version);
  try {
    fetchInto(cache, version);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return missing(
      version,
      `npm could not install @anthropic-ai/claude-code@${version}: ${cause.slice(0, 600)}`,
    );
  }
  const fetched = programIn(cache);
  return fetched === undefined
    ? missing(version, `the package of ${version} has no program for this platform`)
    : check(fetched, version);
}

function programIn(cache: string): string | undefined {
  const modules = join(cache, 'node_modules');
  const native = join(modules, ...platformPackage().split('/'), executable());
  const script = join(modules, '@anthropic-ai', 'claude-code', 'cli.js');
  if (existsSync(native)) return native;
  return existsSync(script) ? join(modules, '.bin', 'claude') : undefined;
}

/** First into a temporary directory, so that two concurrent installers leave one complete client behind. */
function fetchInto(cache: string, version: string): void {
  const fresh = mkdtempSync(`${cache}.new-`);
  try {
    mkdirSync(fresh, { recursive: true });
    writeFileSync(join(fresh, 'package.json'), '{"private":true}\n');
    const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', [...options, `@anthropic-ai/claude-code@${version}`], {
      cwd: fresh,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 240_000,
    });
    rmSync(cache, { recursive: true, force: true });
    renameSync(fresh, cache);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function check(binary: string, version: string): Client {
  try {
    accessSync(binary, constants.X_OK);
    const said = execFileSync(binary, ['--version'], {
      encoding: 'utf8',
      timeout: 60_000,
      env: { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), HOME: tmpdir() },
    });
    const found = /^\d+\.\d+\.\d+/.exec(said.trim())?.[0];
    return found === undefined
      ? missing(version, `${binary} answers --version with ${said}`)
      : { binary, version: found, missing: null };
  } catch (error) {
    return missing(
      version,
      `${binary} does not run: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function missing(version: string, reason: string): Client {
  return { binary: null, version, missing: reason };
}

function platformPackage(): string {
  const musl = process.platform === 'linux' && existsSync('/etc/alpine-release') ? '-musl' : '';
  return `@anthropic-ai/claude-code-${process.platform}-${process.arch}${musl}`;
}

function executable(): string {
  return process.platform === 'win32' ? 'claude.exe' : 'claude';
}
