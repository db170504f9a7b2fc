/** What task files have in common. */

/** A word that the shell cannot know either. */
export const UNKNOWN_WORD = '"$__unknown"';
const MOST_TASKS = 50;

export interface Rule {
  readonly needs: readonly string[];
  readonly lines: readonly string[];
}

/** Depth first, each task once, as make and just do it. */
export function needed(
  wanted: string,
  rules: ReadonlyMap<string, Rule>,
  linesOf: (name: string, rule: Rule) => readonly string[],
): string[] {
  const [seen, lines] = [new Set<string>(), [] as string[]];
  const visit = (name: string): void => {
    const rule = rules.get(name);
    if (rule === undefined || seen.has(name) || seen.size >= MOST_TASKS) return;
    seen.add(name);
    rule.needs.forEach(visit);
    lines.push(...linesOf(name, rule));
  };
  visit(wanted);
  return lines;
}
