/**
 * An event is processed as if this were the process that the client started for it, with its environment and directory,
 * which apply to guard's own code, to git and to anything else that is started. A hook only waits by blocking, so no
 * other event ever sees them.
 */
import type { HookRequest } from './protocol.ts';

/** Variables that Node and its loader read at startup. NODE_EXTRA_CA_CERTS is for connections, and a hook makes none. */
const OF_THE_START = /^(?:NODE_(?!EXTRA_CA_CERTS$)|LD_|DYLD_|UV_|OPENSSL_|SSL_|ICU_)/;

type Environment = Readonly<Record<string, string | undefined>>;

const startOf = (env: Environment): string =>
  JSON.stringify(
    Object.entries(env)
      .filter(([name]) => OF_THE_START.test(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

export interface AsIf {
  /** False, without changing anything, if a separate process would have been started differently from this one. */
  become(request: Pick<HookRequest, 'env' | 'cwd'>): boolean;
}

export function openAsIf(): AsIf {
  const start = startOf(process.env);
  // Nothing else changes the variables, and reading them back costs more than comparing with what was put there.
  let now: Environment = { ...process.env };
  return {
    become({ env, cwd }) {
      if (env !== now && startOf(env) !== start) return false;
      try {
        process.chdir(cwd);
      } catch {
        return false;
      }
      if (env === now) return true;
      for (const name of Object.keys(now)) if (!(name in env)) Reflect.deleteProperty(process.env, name);
      for (const [name, value] of Object.entries(env)) if (now[name] !== value) process.env[name] = value;
      now = env;
      return true;
    },
  };
}
