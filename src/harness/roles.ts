/** Role files: who an agent is, what it may use, how far it may go. `<rolesDir>/<name>.json`. */
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DEFAULT_LIMITS } from '../core/agent-limits.ts';
import type { AgentLimits } from '../core/drafts.ts';
import { GuardError } from '../core/error.ts';
import { checkedSlug } from '../core/task-slug.ts';
import { parseDuration } from '../config/duration.ts';
import {
  type Fields,
  firstWrong,
  isAmount,
  isCount,
  isFields,
  isMissingValue,
  isNull,
  isText,
  isTexts,
  or,
} from './fields.ts';
import { inside } from './inside.ts';

const isDuration = (value: unknown): boolean => (parseDuration(value) ?? 0) > 0;
const maybe = (fits: (value: unknown) => boolean) => or(isMissingValue, fits);

const LIMITS = {
  turns: maybe(or(isNull, isCount)),
  wall: maybe(isDuration),
  cost_usd: maybe(or(isNull, isAmount)),
  stall: maybe(isDuration),
  repeats: maybe(isCount),
  tree_turns: maybe(or(isNull, isCount)),
  tree_cost_usd: maybe(or(isNull, isAmount)),
};

const ROLE = {
  $schema: maybe(isText),
  name: isText,
  category: (value: unknown) => isText(value) && value !== '' && value.length <= 64,
  /** A list is lines: JSON has no other way to write a long text. */
  prompt: or(isText, isTexts),
  tools: maybe(isTexts),
  model: maybe((value) => isText(value) && value !== ''),
  limits: maybe(isFields),
};

export interface Role {
  readonly name: string;
  readonly category: string;
  readonly prompt: string;
  /** Permission rules that are granted to it: `Edit`, `Bash(npm test:*)`. */
  readonly tools: readonly string[];
  readonly model: string | null;
  readonly limits: AgentLimits;
  /** When anything about its file was last changed, by the file system's own clock. */
  readonly changed_wall_ms: number;
}

/** @throws GuardError GUARD_ERR_USAGE when there is no such role, GUARD_ERR_INPUT when its file is wrong */
export function readRole(root: string, dir: string, name: string): Role {
  checkedSlug(name, 'role');
  const file = inside(root, join(dir, `${name}.json`));
  if (!existsSync(file)) {
    const hint = `Roles are files in ${dir}: {"name": "${name}", "category": "worker", "prompt": "…"}.`;
    throw new GuardError('GUARD_ERR_USAGE', `There is no role ${name}.`, hint, {
      field: 'role',
      role: name,
      file,
    });
  }
  for (let at = file; at !== root; at = dirname(at))
    if (lstatSync(at).isSymbolicLink()) throw linked(file, at);
  const { ctimeMs } = lstatSync(file);
  return { ...roleIn(file, name, readFileSync(file, 'utf8')), changed_wall_ms: ctimeMs };
}

/** guard's hooks keep agents from writing to the roles' directory, and to that alone. */
const linked = (file: string, link: string): GuardError =>
  new GuardError(
    'GUARD_ERR_PATH',
    `${file} is reached through the symbolic link ${link}.`,
    'Put role files into a directory of their own; "rolesDir" in guard.config.json says which.',
    { file, link },
  );

function roleIn(file: string, name: string, text: string): Omit<Role, 'changed_wall_ms'> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(file, error instanceof Error ? error.message : String(error));
  }
  const role = isFields(value) ? value : {};
  const limits = isFields(role['limits']) ? role['limits'] : {};
  const where = problemIn(role, ROLE) ?? problemIn(limits, LIMITS);
  if (where !== null) throw wrong(file, `"${where}" is not as it should be`);
  if (role['name'] !== name)
    throw wrong(file, `it is named ${JSON.stringify(role['name'])}, its file ${name}`);
  const { category, prompt, tools = [], model = null } = role as unknown as RoleFile;
  return {
    name,
    category,
    prompt: typeof prompt === 'string' ? prompt : prompt.join('\n'),
    tools,
    model,
    limits: limitsOf(limits),
  };
}

interface RoleFile {
  readonly category: string;
  readonly prompt: string | readonly string[];
  readonly tools?: readonly string[];
  readonly model?: string;
}

const problemIn = (fields: Fields, checks: typeof ROLE | typeof LIMITS): string | null =>
  Object.keys(fields).find((name) => !Object.hasOwn(checks, name)) ?? firstWrong(fields, checks);

function limitsOf({ wall, stall, ...others }: Fields): AgentLimits {
  return {
    ...DEFAULT_LIMITS,
    ...others,
    wall_ms: parseDuration(wall) ?? DEFAULT_LIMITS.wall_ms,
    stall_ms: parseDuration(stall) ?? DEFAULT_LIMITS.stall_ms,
  };
}

const wrong = (file: string, reason: string): GuardError =>
  new GuardError('GUARD_ERR_INPUT', `${file} is not a role: ${reason}.`, 'docs/harness.md has the shape.', {
    file,
    reason,
  });
