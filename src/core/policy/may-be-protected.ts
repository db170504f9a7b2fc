/**
 * Nearly all writes are to files that cannot be guard's own: told apart without loading the rules about those. Every rule of
 * protection.ts needs one of these in a name, except for the user's configuration behind a link.
 */
const PARTS =
  'guard settings .git .mcp.json .claude claude-code claudecode .codex .opencode .cursor _plugins.json known_marketplaces .config.json /worktrees/ /dist/ /bin/ /hooks/ /native/ /node_modules/ /package.json'.split(
    ' ',
  );

/** @param names real and as given. @param dirs of this repository that are guarded: its git directory, its roles */
export function mayBeProtected(names: readonly string[], dirs: readonly string[]): boolean {
  const folded = names.join('\n').replaceAll('\\', '/').toLowerCase();
  return [...PARTS, ...dirs.map((dir) => dir.toLowerCase())].some((part) => folded.includes(part));
}
