import { checking, fail, type Finding, ok, type Patient, warn } from '../check.ts';
import { hostsSetUp } from '../hosts/set-up.ts';

/** Other clients with guard's hooks: whether the hooks are as this guard writes them, and whether Codex runs them at all. */
export const hosts = checking('hosts', (patient) => {
  const found = hostsSetUp(patient);
  if (found.length === 0) return ok('No client other than Claude Code is set up');
  const old = found
    .filter(({ is_current }) => !is_current)
    .map(({ label, path, name, scope }) =>
      warn(`The hooks of ${label} are out of date or edited`, {
        facts: { file: path },
        hint: `Run: guard init --host ${name} --scope ${scope}`,
      }),
    );
  const trust = found.some(({ name }) => name === 'codex') ? trustOf(patient) : [];
  const names = found.map(({ label, scope }) => `${label} (${scope})`);
  return [
    ...old,
    ...trust,
    ...(old.length === 0 ? [ok(`Hooked: ${names.join(', ')}`, { facts: { hosts: names } })] : []),
  ];
});

function trustOf({ codex }: Patient): readonly Finding[] {
  const hint = "Start codex here, open /hooks and trust guard's hooks.";
  if (codex === null)
    return [
      warn('Codex was not asked whether it runs these hooks', {
        hint: `Put "codex" on PATH, or check it yourself: ${hint}`,
      }),
    ];
  const out = codex.filter(({ status }) => !/^(?:trusted|managed)$/.test(status));
  if (codex.length > 0 && out.length === 0) return [];
  const facts = { hooks: out.map(({ at, status }) => `${at}: ${status}`) };
  if (codex.length === 0)
    return [
      fail('Codex does not load these hooks: its folder is not trusted, or hooks are off', { facts, hint }),
    ];
  return [
    fail(`Codex does not run ${out.length} of guard's ${codex.length} hooks: they are not trusted`, {
      facts,
      hint,
    }),
  ];
}
