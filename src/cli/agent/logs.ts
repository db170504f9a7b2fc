/** `guard agent logs`: what an agent said and did, live if it is still running. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { rest } from '../../repo/rest.ts';
import { isOver } from '../../core/drafts.ts';
import { plain } from '../../core/plain.ts';
import { agentMeant } from '../../harness/agent-meant.ts';
import { agentFiles } from '../../harness/agent-files.ts';
import { readableLines } from '../../harness/readable-log.ts';
import { reconcile } from '../../harness/reconcile.ts';
import { draftOf, type HarnessWorkspace } from '../../harness/workspace.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { untilStopped } from '../until-stopped.ts';

const LOOK_MS = 300;
const CHUNK_BYTES = 1 << 20;

export async function showLogs(
  space: HarnessWorkspace,
  shell: Shell,
  { agentId, follow }: { readonly agentId: string; readonly follow: boolean },
): Promise<ExitCode> {
  reconcile(space);
  const { id, session } = agentMeant(space, agentId);
  const { log } = agentFiles(space.repo.state_dir, session);
  const next = linesFrom(log);
  const tell = (): void => {
    for (const line of next()) for (const text of readableLines(line)) shell.out(`${plain(text)}\n`);
  };
  if (!existsSync(log)) shell.err(`${plain(id)} has no log.\n`);
  await untilStopped(async (signal) => {
    for (;;) {
      const draft = draftOf(space, id);
      const is_last = !follow || draft === null || isOver(draft);
      tell();
      if (is_last || signal.aborted) return;
      await rest(LOOK_MS, signal);
      reconcile(space);
    }
  });
  return EXIT.yes;
}

/** Returns a function that reads the whole lines added to a file since its last call. */
function linesFrom(file: string): () => readonly string[] {
  const decoder = new StringDecoder('utf8');
  let at = 0;
  let open = '';
  return () => {
    if (!existsSync(file)) return [];
    const fd = openSync(file, 'r');
    try {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const found: string[] = [];
      for (let got = readSync(fd, chunk, 0, CHUNK_BYTES, at); got > 0;) {
        at += got;
        const lines = (open + decoder.write(chunk.subarray(0, got))).split('\n');
        open = lines.pop() ?? '';
        found.push(...lines);
        got = readSync(fd, chunk, 0, CHUNK_BYTES, at);
      }
      return found;
    } finally {
      closeSync(fd);
    }
  };
}
