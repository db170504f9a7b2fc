/** The shape of a role file, and its contents. Pure. */
import { DEFAULT_LIMITS } from '../core/agent-limits.ts';
import type { AgentLimits } from '../core/drafts.ts';
import { GuardError } from '../core/error.ts';
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

const isDuration = (value: unknown): boolean => (parseDuration(value) ?? 0) > 0;
const maybe = (fits: (value: unknown) => boolean) => or(isMissingValue, fits);

const LIMITS = {
  turns: maybe(or(isNull, isCount)),
  wall: maybe(isDuration),
  cost_usd: maybe(or(isNull, isAmount)),
  stall: maybe(isDuration),
  repeats: maybe(isCount),
  subagents: maybe(or(isNull, isCount)),
  tree_turns: maybe(or(isNull, isCount)),
  tree_cost_usd: maybe(or(isNull, isAmount)),
  retries: maybe(or(isCount, (value) => value === 0)),
  retry_after: maybe(isDuration),
};

const isNamed = (value: unknown): boolean => isText(value) && value.trim() !== '';

const WORKTREE = {
  setup: maybe(isNamed),
  include: maybe((value) => isTexts(value) && value.every(isNamed)),
  base: maybe(isNamed),
};

const ROLE = {
  $schema: maybe(isText),
  name: isText,
  category: (value: unknown) => isText(value) && value !== '' && value.length <= 64,
  /** A list stands for lines, because JSON has no multi-line strings. */
  prompt: or(isText, isTexts),
  tools: maybe(isTexts),
  model: maybe(isNamed),
  limits: maybe(isFields),
  worktree: maybe(isFields),
};

/** How to make the separate checkouts that agents of the role work in. */
export interface RoleWorktree {
  /** A command line for /bin/sh, run in it before the agent starts. */
  readonly setup: string | null;
  /** Files that git ignores, copied from the main checkout: patterns as in `.gitignore`. */
  readonly include: readonly string[];
  /** The branch or commit it starts from; `null` for what is checked out. */
  readonly base: string | null;
}

export interface RoleFields {
  readonly name: string;
  readonly category: string;
  readonly prompt: string;
  /** Permission rules granted to it: `Edit`, `Bash(npm test:*)`. */
  readonly tools: readonly string[];
  readonly model: string | null;
  readonly limits: AgentLimits;
  /** The most subagents of one agent at a time; `null`: as many as its client allows. */
  readonly subagents: number | null;
  /** `null` if an agent gets one only when a draft asks for it. */
  readonly worktree: RoleWorktree | null;
}

/** @throws GuardError GUARD_ERR_INPUT */
export function roleIn(file: string, name: string, text: string): RoleFields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(file, error instanceof Error ? error.message : String(error));
  }
  const role = isFields(value) ? value : {};
  const [limits, worktree] = [role['limits'], role['worktree']].map((one) => (isFields(one) ? one : {}));
  const where =
    problemIn(role, ROLE) ?? problemIn(limits ?? {}, LIMITS) ?? problemIn(worktree ?? {}, WORKTREE);
  if (where !== null) throw wrong(file, `"${where}" is invalid`);
  if (role['name'] !== name)
    throw wrong(file, `its name is ${JSON.stringify(role['name'])}, but its file is named ${name}`);
  const { category, prompt, tools = [], model = null } = role as unknown as RoleFile;
  const { subagents, ...others } = limits ?? {};
  return {
    ...{ name, category, tools, model },
    prompt: typeof prompt === 'string' ? prompt : prompt.join('\n'),
    limits: limitsOf(others),
    subagents: typeof subagents === 'number' ? subagents : null,
    worktree: role['worktree'] === undefined ? null : { setup: null, include: [], base: null, ...worktree },
  };
}

interface RoleFile {
  readonly category: string;
  readonly prompt: string | readonly string[];
  readonly tools?: readonly string[];
  readonly model?: string;
}

type Checks = Readonly<Record<string, (value: unknown) => boolean>>;

const problemIn = (fields: Fields, checks: Checks): string | null =>
  Object.keys(fields).find((name) => !Object.hasOwn(checks, name)) ?? firstWrong(fields, checks);

function limitsOf({ wall, stall, retry_after, ...others }: Fields): AgentLimits {
  return {
    ...DEFAULT_LIMITS,
    ...others,
    wall_ms: parseDuration(wall) ?? DEFAULT_LIMITS.wall_ms,
    stall_ms: parseDuration(stall) ?? DEFAULT_LIMITS.stall_ms,
    retry_after_ms: parseDuration(retry_after) ?? DEFAULT_LIMITS.retry_after_ms,
  };
}

const wrong = (file: string, reason: string): GuardError =>
  new GuardError(
    'GUARD_ERR_INPUT',
    `${file} is not a role: ${reason}.`,
    'docs/harness.md describes the format.',
    {
      file,
      reason,
    },
  );
