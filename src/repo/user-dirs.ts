/**
 * Where a user's own state and configuration live (XDG Base Directory Specification 0.8: a relative value is
 * invalid and ignored).
 */
import { isAbsolute, join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

function absolute(value: string | undefined): string | undefined {
  return value !== undefined && isAbsolute(value) ? value : undefined;
}

export function homeOf(env: Environment): string {
  return absolute(env['HOME']) ?? process.getBuiltinModule('node:os').homedir();
}

function statePlace(env: Environment, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(homeOf(env), 'Library', 'Application Support');
  if (platform === 'win32') return absolute(env['LOCALAPPDATA']) ?? join(homeOf(env), 'AppData', 'Local');
  return join(homeOf(env), '.local', 'state');
}

/** The ledger for files outside every initialised repository: baselines apply there, leases do not. */
export function userStateDir(env: Environment, platform: NodeJS.Platform = process.platform): string {
  return join(absolute(env['XDG_STATE_HOME']) ?? statePlace(env, platform), 'guard');
}

export function userConfigFile(env: Environment): string {
  return join(absolute(env['XDG_CONFIG_HOME']) ?? join(homeOf(env), '.config'), 'guard', 'config.json');
}
