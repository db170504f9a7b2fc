import { fail, ok } from '../check.ts';
import type { Check } from '../check.ts';

export const disabled: Check = {
  id: 'disabled',
  run: ({ settings }) => {
    const [first] = settings.filter(({ value }) => value['disableAllHooks'] === true);
    if (first === undefined) return [ok('disabled', 'No settings file switches hooks off')];
    const hint = `Remove "disableAllHooks" from ${first.path}.`;
    return [fail('disabled', `${first.path} switches every hook off`, { facts: { file: first.path }, hint })];
  },
};
