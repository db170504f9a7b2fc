import { exitCodeOf, type Report } from '../replay.ts';

/** `{"ok", "sessions": [{"file", "verdict", "events": [{"at", "line", "event", "tool", "decision", …, "differs"?}]}]}` */
export function toJson(reports: readonly Report[]): string {
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
