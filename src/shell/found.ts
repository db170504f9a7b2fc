/** Collects what a walk has found so far: each item once, and within limits. */
import type { Look, Reading } from './call.ts';
import type { Effects, GitCall, EffectScope, EffectTarget, Unresolved } from './effects.ts';
import { type Budget, LIMITS } from './limits.ts';
import { commonDir, isSink } from './path.ts';

const MAX_SOURCE = 200;

/** For people: a here-document is too long to show. */
const shortened = <It extends { readonly source: string }>(it: It): It =>
  it.source.length <= MAX_SOURCE ? it : { ...it, source: `${it.source.slice(0, MAX_SOURCE - 1)}…` };

export class LineEffects {
  private readonly targets = new Map<string, EffectTarget>();
  private readonly above = new Set<string>();
  private readonly scopes = new Map<string, EffectScope>();
  private readonly git = new Map<string, GitCall>();
  private readonly unresolved = new Map<string, Unresolved>();
  /** What earlier commands of the line created, by path. `text`: null if it is unknown. */
  private readonly made = new Map<string, { kind: 'file' | 'directory'; text: string | null }>();

  add({ targets = [], scopes = [], git = [], unresolved = [] }: Reading): void {
    for (const target of targets) this.target(target);
    for (const scope of scopes) once(this.scopes, shortened(scope));
    for (const call of git) once(this.git, shortened(call));
    for (const one of unresolved) this.miss(one);
  }

  miss(one: Unresolved): void {
    once(this.unresolved, shortened(one));
  }

  /** `text`: the resulting content of the file, if the line shows it. */
  target(target: EffectTarget, text: string | null = null): void {
    if (isSink(target.path)) return;
    this.make(target, text);
    const short = shortened(target);
    if (this.targets.size < LIMITS.targets) once(this.targets, short);
    else if (!this.targets.has(JSON.stringify(short))) this.above.add(target.path);
  }

  private make({ path, act, by }: EffectTarget, text: string | null): void {
    if (act === 'attributes') return;
    if (act === 'remove' || act === 'move') this.made.delete(path);
    else this.made.set(path, { kind: by === 'mkdir' ? 'directory' : 'file', text });
  }

  /** The disk as it will be when the rest of the line runs, as far as that is known. */
  over(disk: Look, budget: Budget): Look {
    const may = (): boolean => --budget.looks >= 0;
    return {
      kind: (path) => this.made.get(path)?.kind ?? (may() ? disk.kind(path) : null),
      list: (dir) => (may() ? disk.list(dir) : []),
      text: (file, max_bytes) => {
        const made = this.made.get(file);
        if (made !== undefined) return made.kind === 'file' ? made.text : null;
        return may() ? disk.text(file, max_bytes) : null;
      },
    };
  }

  effects(): Effects {
    if (this.above.size > 0) {
      const [dir, by] = [commonDir([...this.above]), 'guard'];
      this.add({
        scopes: [{ kind: 'generator', by, source: dir, paths: [dir] }],
        unresolved: [{ source: dir, by, reason: 'limit' }],
      });
    }
    return {
      targets: [...this.targets.values()],
      scopes: [...this.scopes.values()],
      git: [...this.git.values()],
      unresolved: [...this.unresolved.values()],
    };
  }
}

function once<It>(known: Map<string, It>, it: It): void {
  if (known.size < 2 * LIMITS.targets) known.set(JSON.stringify(it), it);
}
