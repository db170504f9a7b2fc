/** Role files: who an agent is, what it may use, how far it may go. `<rolesDir>/<name>.json`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { DEFAULT_LIMITS } from '../core/agent-limits.ts';
import type { AgentLimits } from '../core/drafts.ts';
import { GuardError } from '../core/error.ts';
import { checkedSlug } from '../core/task-slug.ts';
import { parseDuration } from '../config/duration.ts';
import { inside } from './inside.ts';

const duration_ms = z.union([z.string(), z.number()]).transform((given, at) => {
  const ms = parseDuration(given);
  if (ms !== null && ms > 0) return ms;
  at.addIssue({ code: 'custom', message: 'not a duration like "90s", "15m" or "2h"' });
  return z.NEVER;
});
const count = z.number().int().positive();
const money = z.number().positive();

const LIMITS = z.strictObject({
  turns: count.nullable().optional(),
  wall: duration_ms.optional(),
  cost_usd: money.nullable().optional(),
  stall: duration_ms.optional(),
  repeats: count.optional(),
  tree_turns: count.nullable().optional(),
  tree_cost_usd: money.nullable().optional(),
});

const ROLE = z.strictObject({
  $schema: z.string().optional(),
  name: z.string(),
  category: z.string().min(1).max(64),
  /** A list is lines: JSON has no other way to write a long text. */
  prompt: z.union([z.string(), z.array(z.string()).transform((lines) => lines.join('\n'))]),
  tools: z.array(z.string().min(1)).default([]),
  model: z.string().min(1).optional(),
  limits: LIMITS.default({}),
});

export interface Role {
  readonly name: string;
  readonly category: string;
  readonly prompt: string;
  /** Permission rules that are granted to it: `Edit`, `Bash(npm test:*)`. */
  readonly tools: readonly string[];
  readonly model: string | null;
  readonly limits: AgentLimits;
}

/** @throws GuardError GUARD_ERR_USAGE when there is no such role, GUARD_ERR_INPUT when its file is wrong */
export function readRole(root: string, dir: string, name: string): Role {
  checkedSlug(name, 'role');
  const file = inside(root, join(dir, `${name}.json`));
  if (!existsSync(file)) {
    const hint = `Roles are files in ${dir}: {"name": "${name}", "category": "worker", "prompt": "…"}.`;
    throw new GuardError('GUARD_ERR_USAGE', `There is no role ${name}.`, hint, { role: name, file });
  }
  return roleIn(file, name, readFileSync(file, 'utf8'));
}

function roleIn(file: string, name: string, text: string): Role {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(file, error instanceof Error ? error.message : String(error));
  }
  const checked = ROLE.safeParse(value);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw wrong(file, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a role'}`);
  }
  const { category, prompt, tools, model = null } = checked.data;
  if (checked.data.name !== name)
    throw wrong(file, `name: it is "${checked.data.name}", the file's is "${name}"`);
  return { name, category, prompt, tools, model, limits: limitsOf(checked.data.limits) };
}

function limitsOf({ wall, stall, ...others }: z.output<typeof LIMITS>): AgentLimits {
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  return {
    ...DEFAULT_LIMITS,
    ...given,
    wall_ms: wall ?? DEFAULT_LIMITS.wall_ms,
    stall_ms: stall ?? DEFAULT_LIMITS.stall_ms,
  };
}

const wrong = (file: string, reason: string): GuardError =>
  new GuardError('GUARD_ERR_INPUT', `${file} is not a role: ${reason}.`, 'docs/harness.md has the shape.', {
    file,
    reason,
  });
