import { checking, fail, ok, warn } from '../check.ts';

/** The last file that sets it wins; an administrator's setting wins over all of them (measured). */
export const disabled = checking('disabled', ({ settings }) => {
  const last = settings.findLast(({ value }) => value['disableAllHooks'] !== undefined);
  const managed = settings.find(({ scope, value }) => {
    return scope === 'managed' && value['allowManagedHooksOnly'] === true;
  });
  if (managed !== undefined) {
    const hint = "Ask the administrator of this machine to add guard's hooks to the managed settings.";
    const message = `${managed.path} allows only managed hooks`;
    return fail(message, { facts: { file: managed.path }, hint });
  }
  const overruled = settings.find(({ value }) => value['disableAllHooks'] === true);
  if (overruled === undefined) return ok('No settings file turns hooks off');
  const is_off = last?.value['disableAllHooks'] === true;
  const path = is_off ? last.path : overruled.path;
  const facts = { file: path };
  const hint = `Remove "disableAllHooks" from ${path}.`;
  if (is_off) return fail(`${path} turns all hooks off`, { facts, hint });
  const message = `${path} turns hooks off in every project that does not turn them on again`;
  return warn(message, { facts, hint });
});
