/** Prints where `guard serve` listens, for people or for programs. */
import type { Serving } from '../http/serve.ts';
import type { Shell } from './shell.ts';

interface Told {
  readonly project: string;
  readonly token_file: string | null;
  readonly options: { readonly json?: boolean };
  /** Absent if there is no page. */
  readonly page?: string | undefined;
}

export function tell(
  { url, socket }: Serving,
  { project, token_file, options, page }: Told,
  shell: Shell,
): void {
  if (options.json === true) {
    shell.json({ project, url, socket, token_file, ...(page === undefined ? {} : { page }) });
    return;
  }
  shell.err(`guard serves ${project}\n`);
  if (url !== null)
    shell.err(`  ${url}  ${token_file === null ? 'without a token' : `token in ${token_file}`}\n`);
  if (socket !== null) shell.err(`  ${socket}\n`);
  if (page !== undefined) shell.err(`Open this page, once:\n  ${page}\n`);
}
