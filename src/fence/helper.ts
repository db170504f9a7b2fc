/** Finds a helper that can build a fence here. Each is asked to actually build one, because some machines forbid much of it. */
import { accessSync, constants } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { argsFor, type FenceMode, type Helper, type HelperKind } from './site.ts';

export type HelperSearch =
  | { readonly helper: Helper }
  /** Phrased for a person who could change it. */
  | { readonly helper: null; readonly why: string; readonly remedy: string };

export interface FenceWish {
  /** guard's own `fence/` directory. */
  readonly home: string;
  /** The repository's fence directory, which is writable. */
  readonly dir: string;
  readonly path: string | undefined;
  readonly mode: FenceMode;
  readonly is_required: boolean;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

interface Way {
  readonly kind: HelperKind;
  readonly program: string;
  readonly file: string;
  readonly applies: (wish: FenceWish) => boolean;
}

/** In order of preference. Landlock freezes directories, and the profile was never run on a Mac: both only on request. */
const WAYS: readonly Way[] = [
  { kind: 'perl', program: 'perl', file: 'fence.pl', applies: isKnownLinux },
  { kind: 'bwrap', program: 'sh', file: 'bwrap.sh', applies: ({ platform }) => platform === 'linux' },
  {
    kind: 'landlock',
    program: 'perl',
    file: 'landlock.pl',
    applies: (wish) => isKnownLinux(wish) && wish.mode === 'closed',
  },
  {
    kind: 'sandbox',
    program: 'sh',
    file: 'sandbox.sh',
    applies: ({ platform, is_required }) => platform === 'darwin' && is_required,
  },
];

function isKnownLinux({ platform, arch }: FenceWish): boolean {
  return platform === 'linux' && (arch === 'x64' || arch === 'arm64');
}

export function findHelper(wish: FenceWish): HelperSearch {
  const failures: string[] = [];
  for (const { kind, program: name, file: base, applies } of WAYS) {
    if (!applies(wish)) continue;
    const program = programOf(name, wish.path);
    if (program === null) {
      failures.push(`${name} is missing`);
      continue;
    }
    const helper = { kind, program, file: join(wish.home, base) };
    const failure = probe(helper, wish.dir);
    if (failure === null) return { helper };
    failures.push(`${kind}: ${failure}`);
  }
  return {
    helper: null,
    why: failures.join('; ') || NOWHERE(wish.platform),
    remedy: remedyOf(failures, wish),
  };
}

const NOWHERE = (platform: string): string => `there is no fence for ${platform}`;

const PROBE_MS = 3_000;

/** Null: it built a fence. Otherwise the reason why not. */
function probe({ program, file }: Helper, dir: string): string | null {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const options = { timeout: PROBE_MS, encoding: 'utf8' as const, cwd: '/' };
  const { status, stdout, stderr, error } = spawnSync(program, [...argsFor(file), 'probe', dir], options);
  if (status === 0) return null;
  const said = `${stdout}\n${stderr}`.trim().split('\n')[0]?.replace(/^no: /, '') ?? '';
  return said || error?.message || `exit ${status ?? 'by a signal'}`;
}

/** The system's directories come first: programs that a project puts on PATH must not restrict it. */
const SYSTEM = ['/usr/bin', '/bin', '/usr/local/bin', '/opt/homebrew/bin', '/run/current-system/sw/bin'];

function programOf(name: string, path: string | undefined): string | null {
  const dirs = (path ?? '').split(':').filter((dir) => isAbsolute(dir) && !dir.includes('/node_modules/'));
  return [...SYSTEM, ...dirs].map((dir) => join(dir, name)).find(isProgram) ?? null;
}

const isProgram = (file: string): boolean =>
  attempt(() => {
    accessSync(file, constants.X_OK);
    return true;
  }, false);

function remedyOf(failures: readonly string[], { platform }: FenceWish): string {
  const said = failures.join(' ');
  if (platform === 'darwin')
    return 'On macOS the fence is untested, and used only with "fence": "required" in the configuration.';
  if (platform !== 'linux') return '';
  if (said.includes('perl is missing')) return 'Install perl (or bubblewrap).';
  if (/Function not implemented|ENOSYS/i.test(said))
    return 'The kernel is older than 5.12. Install bubblewrap, or update it.';
  if (/No space left|ENOSPC/i.test(said))
    return 'User namespaces are switched off: sysctl user.max_user_namespaces is 0.';
  if (/mount: |Permission denied/i.test(said))
    return 'AppArmor may restrict user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a profile for perl. Or install bubblewrap, if its profile allows it.';
  if (/Operation not permitted/i.test(said))
    return 'Namespaces are forbidden here, as in most containers (docker: --security-opt seccomp=unconfined). With "preset": "strict" guard uses Landlock instead.';
  return 'See docs/fence.md.';
}
