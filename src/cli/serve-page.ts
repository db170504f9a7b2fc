/** The page of `guard serve --ui`: its file, who may open it, and its address, which works for one tab. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GuardError } from '../core/error.ts';
import type { PageKeys } from '../http/page/keys.ts';
import type { Serving } from '../http/serve.ts';
import { guardRoot } from '../install/guard-root.ts';
import { requirePerson } from './require-person.ts';
import type { Shell } from './shell.ts';

interface PageFile {
  readonly html: string;
  readonly keys: PageKeys;
}

/** @throws GuardError GUARD_ERR_USAGE without TCP, and for an agent, which would see more than it may over HTTP */
export async function pageOf({ tcp }: { readonly tcp: boolean }, shell: Shell): Promise<PageFile> {
  requirePerson('guard serve --ui', shell.env);
  if (!tcp) throw new GuardError('GUARD_ERR_USAGE', 'A browser needs TCP.', 'Leave out --no-tcp or --ui.');
  const { openPageKeys } = await import('../http/page/keys.ts');
  return { html: readFileSync(join(guardRoot(), 'dist', 'page.html'), 'utf8'), keys: openPageKeys() };
}

/** After `#`, which browsers send to no server and no log contains. */
export const pageAddress = ({ url }: Serving, keys: PageKeys): string => `${url ?? ''}/#${keys.issue()}`;

/** A used address does not work again, so a fresh one is always printed. */
export function tellOfNext(serving: Serving, keys: PageKeys, { err }: Shell): void {
  keys.onRedeemed(() => err(`Opened. For another tab:\n  ${pageAddress(serving, keys)}\n`));
}
