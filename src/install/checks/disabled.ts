import { checking, fail, ok, warn } from '../check.ts';

/** The last file that sets it wins; an administrator's setting wins over all of them (measured). */
export const disabled = checking('disabled', ({ settings }) => {
  const last = settings.findLast(({ value }) => value['disableAllHooks'] !== undefined);
  const managed = settings.find(({ scope, value }) => {
    return scope === 'managed' && value['allowManagedHooksOnly'] === true;
  });
  if (managed !== undefined) {
    const hint = 'Ask who manages this machine to put the hooks of guard into the managed settings.';
    const message = `${managed.path} allows no hooks but managed ones`;
    return fail(message, { facts: { file: managed.path }, hint });
  }
  const overruled = settings.find(({ value }) => value['disableAllHooks'] === true);
  if (overruled === undefined) return ok('No settings file switches hooks off');
  const is_off = last?.value['disableAllHooks'] === true;
  const path = is_off ? last.path : overruled.path;
  const facts = { file: path };
  const hint = `Remove "disableAllHooks" from ${path}.`;
  if (is_off) return fail(`${path} switches every hook off`, { facts, hint });
  const message = `${path} switches hooks off in every project that does not switch them on again`;
  return warn(message, { facts, hint });
});
