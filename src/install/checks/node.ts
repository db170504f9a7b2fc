import { checking, fail, ok } from '../check.ts';

const NEEDED = [20, 19] as const;

/** The Node that runs the hooks is this one where init wrote an absolute path, `node` on PATH in the project scope. */
export const node = checking('node', () => {
  const version = process.versions.node;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const facts = { version, path: process.execPath };
  const isEnough = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
  if (isEnough) return ok(`Node ${version}`, { facts });
  return fail(`Node ${version} is too old`, { facts, hint: `Install Node ${NEEDED.join('.')} or newer.` });
});
