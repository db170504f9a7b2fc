import { exitCodeOf, type Report } from '../replay.ts';
import { toGithub } from './github.ts';
import { toJunit } from './junit.ts';
import { toText } from './text.ts';

export const FORMATS = {
  text: toText,
  json: toJson,
  junit: toJunit,
  github: toGithub,
} as const satisfies Record<string, (reports: readonly Report[]) => string>;

export type Format = keyof typeof FORMATS;

/** `{"ok", "sessions": [{"file", "verdict", "events": [{"at", "line", "event", "tool", "decision", …, "differs"?}]}]}` */
function toJson(reports: readonly Report[]): string {
  const sessions = reports.map(({ file, verdict, error, checks }) => ({
    file,
    verdict,
    error,
    events: checks.map(({ outcome, at, line, event, tool, differs }) => ({
      at,
      line,
      event,
      tool,
      ...outcome,
      differs,
    })),
  }));
  return `${JSON.stringify({ ok: exitCodeOf(reports) === 0, sessions })}\n`;
}
