import { checking, ok, warn } from '../check.ts';
import { guardSources } from '../hook-sources.ts';

/** The same command line in several settings files runs once; different ones, and a plugin's, run once each. */
export const duplicates = checking('duplicates', (patient) => {
  const sources = guardSources(patient);
  const commands = new Set(
    sources.flatMap(({ kind, path, lines }) =>
      lines
        .filter(({ event }) => event === 'SessionStart')
        .map(({ command }) => (kind === 'plugin' ? `${path} ${command}` : command)),
    ),
  );
  if (commands.size <= 1) return ok('Every event is reported to guard once');
  const facts = { sources: sources.map(({ name, path }) => `${name}: ${path}`) };
  const hint = 'Keep one: guard uninstall for the settings, or: claude plugin disable guard';
  return warn(`Every event is reported to guard ${commands.size} times, which costs time`, { facts, hint });
});
