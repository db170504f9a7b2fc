import { existsSync } from 'node:fs';
import { findHelper } from '../../fence/helper.ts';
import { fenceOfSession } from '../../fence/sessions.ts';
import { fenceDir } from '../../fence/site.ts';
import { loadConfig } from '../../config/load.ts';
import { guardRoot } from '../guard-root.ts';
import { checking, fail, type Finding, ok, type Patient, warn } from '../check.ts';

const HELPERS = {
  perl: 'mount namespaces',
  bwrap: 'bubblewrap, up to 64 held files',
  landlock: 'Landlock, which also freezes the directories of held files',
  sandbox: 'sandbox-exec, untested',
} as const;

/** Whether commands can be fenced on this machine, and whether those of the session that runs doctor are. */
export const fence = checking('fence', (patient) => {
  const { repo, env } = patient;
  if (!repo.initialised) return [];
  const config = loadConfig({ repo, env });
  if (config.fence === 'off')
    return ok('Commands are not fenced, as configured', { facts: { fence: 'off' } });
  const is_required = config.fence === 'required';
  const dir = fenceDir(repo.state_dir);
  const found = findHelper({
    home: `${guardRoot()}/fence`,
    dir: existsSync(dir) ? dir : repo.state_dir,
    path: env['PATH'],
    mode: is_required || config.preset === 'strict' ? 'closed' : 'open',
    is_required,
    platform: process.platform,
    arch: process.arch,
  });
  if (found.helper === null) {
    const details = { facts: { fence: config.fence, why: found.why }, hint: found.remedy };
    const message = `Commands cannot be fenced here: ${found.why}`;
    return is_required ? fail(message, details) : warn(message, details);
  }
  const { kind } = found.helper;
  const works = ok(`What others hold is read-only for commands (${HELPERS[kind]})`, {
    facts: { fence: config.fence, helper: kind },
  });
  return ofThisSession(patient) ?? works;
});

/** Inside a session, whose environment file may be older than guard's setup. */
function ofThisSession({ repo, env }: Patient): Finding | null {
  const session = env['CLAUDE_CODE_SESSION_ID'];
  if (session === undefined) return null;
  const mine = fenceOfSession(repo.state_dir, session);
  if (mine.by !== null) return null;
  return warn(`The commands of this session are not fenced: ${mine.why}`, {
    facts: { session, why: mine.why },
    hint: mine.remedy,
  });
}
