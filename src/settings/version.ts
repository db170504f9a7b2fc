/** Versions of the client, such as `2.1.330`. */

/** The version of the client that runs this process; `null` if unknown (before 2.1.200, or outside a session). */
export function runningVersion(env: Readonly<Record<string, string | undefined>>): string | null {
  const said = /^claude-code_(\d+)-(\d+)-(\d+)/.exec(env['AI_AGENT'] ?? '');
  return said === null ? null : said.slice(1, 4).join('.');
}

export function isBefore(version: string, wanted: string): boolean {
  const [have, want] = [version, wanted].map((one) => one.split('.').map(Number));
  for (const at of [0, 1, 2]) {
    const difference = (have?.[at] ?? 0) - (want?.[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
