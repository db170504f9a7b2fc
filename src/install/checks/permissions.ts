import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import { asList, asObject } from '../../core/json-object.ts';
import { textOf } from '../../repo/small-file.ts';
import { agentCommand } from '../agent-command.ts';
import { checking, type Finding, ok, type Patient, warn } from '../check.ts';
import { guardCommand } from '../guard-command.ts';
import { permissionRules } from '../permission-rules.ts';
import { inTodaysName } from '../program-names.ts';
import { clientMemory } from '../scopes.ts';
import { isObject } from '../settings-text.ts';

/** Agents take locks through Bash: without the rules, every lock asks the user, or is refused with `-p`. */
export const permissions = checking('permissions', (patient) => {
  if (!patient.repo.initialised) return [];
  return [...commandWorks(patient), ...rulesThere(patient), ...trusted(patient)];
});

function commandWorks({ repo, guard_root, env }: Patient): readonly Finding[] {
  const [on_record, now] = [guardCommand(repo), agentCommand(guard_root, process.execPath, env)];
  if (inTodaysName(on_record) === now || (on_record !== 'guard' && now === 'guard')) return [];
  const facts = { on_record, now };
  return [
    warn(`Agents are told to run "${on_record}", which is not this guard here`, {
      facts,
      hint: 'Run: guard init',
      fixable: true,
    }),
  ];
}

function rulesThere({ repo, settings }: Patient): readonly Finding[] {
  const command = guardCommand(repo);
  const allowed = settings.flatMap(({ value }) => {
    const { allow } = asObject(value['permissions']);
    return asList(allow).filter((rule) => typeof rule === 'string');
  });
  const broad = ['Bash', 'Bash(*)', `Bash(${command}:*)`, `Bash(${command} *)`];
  const missing = permissionRules(command).filter(
    (rule) => !allowed.includes(rule) && !broad.some((all) => allowed.includes(all)),
  );
  if (missing.length === 0) return [ok(`Agents may run: ${command} lock`, { facts: { command } })];
  const details = { facts: { command, missing }, hint: 'Run: guard init', fixable: true };
  return [warn(`Taking a lock needs the user's approval: ${missing.join(', ')} is not allowed`, details)];
}

/** In a folder that was never trusted, the client ignores the project's rules, although it runs its hooks. */
function trusted({ repo, env }: Patient): readonly Finding[] {
  const file = clientMemory(env);
  const projects = existsSync(file) ? projectsIn(file) : null;
  if (projects === null) return [];
  for (let dir = repo.root; ; dir = dirname(dir)) {
    const project = projects[dir];
    if (isObject(project) && project['hasTrustDialogAccepted'] === true) return [];
    if (dir === dirname(dir)) break;
  }
  const hint = `Start claude once in ${repo.root} and trust the folder when asked, or add the rules to your user settings.`;
  return [
    warn(`Claude Code does not trust ${repo.root} yet, so it ignores the project's permission rules`, {
      facts: { file },
      hint,
    }),
  ];
}

/** The file contains the client's history of every project. */
const MAX_BYTES = 67_108_864;

const projectsIn = (file: string): Readonly<Record<string, unknown>> | null =>
  attempt(() => {
    const value: unknown = JSON.parse(textOf(file, MAX_BYTES) ?? '');
    return isObject(value) && isObject(value['projects']) ? value['projects'] : {};
  }, null);
