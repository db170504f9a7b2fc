import { checking, fail, ok } from '../check.ts';

const NEEDED = [20, 19] as const;

/** The hooks run with this Node if init wrote an absolute path; in the project scope, with `node` on PATH. */
export const node = checking('node', () => {
  const version = process.versions.node;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const facts = { version, path: process.execPath };
  const isEnough = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
  if (isEnough) return ok(`Node ${version}`, { facts });
  return fail(`Node ${version} is too old`, { facts, hint: `Install Node ${NEEDED.join('.')} or newer.` });
});
