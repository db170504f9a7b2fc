import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHECKOUT = join(import.meta.dirname, '../../..');

/**
 * guard as users get it: packed, and unpacked in a directory that no later build of the checkout touches.
 * GUARD_E2E_GUARD names another package directory.
 */
export interface Product {
  /** guard's package directory. */
  readonly root: string;
  dispose(): void;
}

export function unpackProduct(): Product {
  const given = process.env['GUARD_E2E_GUARD'];
  if (given !== undefined && given !== '') return { root: given, dispose: () => undefined };
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'guard-e2e-product-')));
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', dir], {
    cwd: CHECKOUT,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 120_000,
  });
  const tarball = readdirSync(dir).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack left no tarball');
  execFileSync('tar', ['xzf', tarball], { cwd: dir });
  return { root: join(dir, 'package'), dispose: () => rmSync(dir, { recursive: true, force: true }) };
}
