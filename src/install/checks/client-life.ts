import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rfc3339 } from '../../core/rfc3339.ts';
import { ownStateDir } from '../../repo/clones.ts';
import { archivedBytes, ZIPPED } from '../../store/upkeep.ts';
import { checking, ok, type Patient, warn } from '../check.ts';
import { projectsDir } from '../scopes.ts';

/** A session starts its hooks before it writes its first line. */
const SLACK_MS = 10_000;
const NEWEST = 20;
const HEAD_BYTES = 65_536;

/**
 * Evidence from the client's side: every session of the client here leaves a transcript and, under guard's hooks, a name in
 * the ledger. One without the other ran unguarded, whatever the settings say now.
 */
export const clientLife = checking('client_life', (patient) => {
  if (!patient.repo.initialised) return [];
  const since_ms = setUpAt(patient);
  const sessions = transcripts(patient).filter(({ at_ms, file }) => {
    return at_ms > since_ms + SLACK_MS && hasPrompt(file);
  });
  const known = sessionsOnRecord(patient.repo.state_dir, sessions);
  const unseen = sessions.filter(({ session }) => !known.has(session));
  const last = sessions.filter(({ session }) => known.has(session))[0];
  const newest = unseen[0];
  if (newest === undefined) {
    const message =
      sessions.length === 0
        ? 'Claude Code has not run here since guard was set up'
        : `guard saw every session of Claude Code here (${sessions.length})`;
    return ok(message, { facts: { sessions: sessions.length } });
  }
  const guarded =
    last === undefined ? 'no session since it was set up' : `last one of ${rfc3339(last.at_ms)}`;
  const hint =
    'That session ran without its hooks: were its settings dropped, its hooks switched off, or was it started in another directory?';
  return warn(`Claude Code ran here at ${rfc3339(newest.at_ms)}, and guard saw ${guarded}`, {
    facts: { transcript: newest.file, session: newest.session, unseen: unseen.length },
    hint,
  });
});

interface Transcript {
  readonly session: string;
  readonly file: string;
  readonly at_ms: number;
}

/** When `guard init` last changed something: earlier sessions may have had other hooks. */
function setUpAt({ repo }: Patient): number {
  return statSync(join(ownStateDir(repo), 'install.json'), { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
}

/** Newest first, in the client's layout: a directory per project, a file per session. */
function transcripts({ repo, env }: Patient): readonly Transcript[] {
  const dir = join(projectsDir(env), repo.root.replace(/[^a-zA-Z0-9]/g, '-'));
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => {
      const file = join(dir, name);
      const stat = statSync(file, { throwIfNoEntry: false });
      if (stat?.isFile() !== true) return [];
      return [{ session: name.slice(0, -'.jsonl'.length), file, at_ms: stat.mtimeMs }];
    })
    .sort((a, b) => b.at_ms - a.at_ms)
    .slice(0, NEWEST);
}

/** Some contain only a summary of another session. */
const hasPrompt = (file: string): boolean => /"type"\s*:\s*"user"/.test(head(file));

function head(file: string): string {
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(fd);
  }
}

const CHUNK_BYTES = 1_048_576;

/** The sessions that the ledger names, including its archived segments. */
function sessionsOnRecord(state_dir: string, sessions: readonly Transcript[]): ReadonlySet<string> {
  const found = new Set<string>();
  const segments = [state_dir, join(state_dir, 'archive')].flatMap((dir) =>
    existsSync(dir) ? readdirSync(dir).map((name) => join(dir, name)) : [],
  );
  for (const file of segments.filter((path) => /\/ledger-[^/]*$/.test(path.replaceAll('\\', '/')))) {
    if (found.size === sessions.length) break;
    for (const text of chunksOf(file))
      for (const { session } of sessions) if (text.includes(`claude-${session}`)) found.add(session);
  }
  return found;
}

/** Chunks overlap, so that no name is cut in two. */
function* chunksOf(file: string): Generator<string> {
  if (file.endsWith(ZIPPED)) {
    yield archivedBytes(dirname(dirname(file)), basename(file)).toString('latin1');
    return;
  }
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (let at = 0; ; at += CHUNK_BYTES - 256) {
      const got = readSync(fd, buffer, 0, buffer.length, at);
      if (got > 0) yield buffer.toString('latin1', 0, got);
      if (got < buffer.length) return;
    }
  } finally {
    closeSync(fd);
  }
}
