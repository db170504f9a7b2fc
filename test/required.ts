/** Reports what this machine lacks for a test: skipped, loudly; a failure with GUARD_E2E_REQUIRED=all. */

/** @throws Error where nothing may be skipped */
export function requiredOrSkipped(what: string): void {
  if (process.env['GUARD_E2E_REQUIRED'] === 'all')
    throw new Error(`GUARD_E2E_REQUIRED=all: there is no ${what}`);
  process.stderr.write(`\n!!! SKIPPED: what needs ${what}\n\n`);
}
