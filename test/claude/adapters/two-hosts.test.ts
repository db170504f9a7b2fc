/** Two clients that work in one checkout, with the events recorded from each. */
import { describe, expect, it } from 'vitest';
import { scratch, working } from '../driver.ts';
import { recorded, type Fields } from '../hosts/events.ts';
import { told } from './host.ts';

const files = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n', 'b.txt': 'alpha\nbeta\ngamma\n' };

/** The first call that matches `is` among those its first recorded session asks about. */
function recordedWrite(
  host: string,
  root: string,
  is: (stdin: Fields) => boolean,
): { readonly event: string; readonly stdin: Fields } {
  const found = recorded(host, root).find(({ stdin }) => is(stdin));
  if (found === undefined) throw new Error(`${host} was recorded without such a call`);
  return found;
}

const ofFile = (stdin: Fields): boolean => JSON.stringify(stdin).includes('a.txt');

const WRITES = {
  codex: (stdin: Fields) => stdin['hook_event_name'] === 'PreToolUse' && stdin['tool_name'] === 'apply_patch',
  gemini: (stdin: Fields) => stdin['hook_event_name'] === 'BeforeTool' && stdin['tool_name'] === 'replace',
  qwen: (stdin: Fields) => stdin['hook_event_name'] === 'PreToolUse' && stdin['tool_name'] === 'edit',
  copilot: (stdin: Fields) =>
    stdin['toolName'] === 'edit' && stdin['toolResult'] === undefined && stdin['hookName'] === undefined,
  opencode: (stdin: Fields) => (stdin['input'] as Fields | undefined)?.['tool'] === 'edit',
} as const;

const HOSTS = Object.keys(WRITES) as readonly (keyof typeof WRITES)[];

describe('a file that Claude Code holds', () => {
  it.each(HOSTS)(
    'is not written by %s, which is told who holds it; and what it holds Claude Code does not write',
    (host) => {
      const at = scratch({ files, init: ['--preset', 'auto'] });
      const claude = working(at);
      claude.read('a.txt');
      expect(claude.edit('a.txt', 'one', 'ONE').pre.exit).toBe(0);
      const { event, stdin } = recordedWrite(host, at.root, (one) => WRITES[host](one) && ofFile(one));
      const answer = told(at, host, { ...stdin, directory: at.root, pid: process.pid }, { name: event });
      expect([answer.exit, answer.denial?.error_type]).toEqual([
        2,
        expect.stringMatching(/LOCKED|STALE|UNREAD/),
      ]);
      expect([answer.denial?.error_type, ...(answer.denial?.details.also ?? [])]).toContain(
        'LOCKED_BY_OTHER',
      );
      expect(answer.denial?.details['holder']).toBe(claude.name);
      const other = scratch({ files, init: ['--preset', 'auto'] });
      const again = recordedWrite(host, other.root, (one) => WRITES[host](one) && ofFile(one));
      expect(
        told(other, host, { ...again.stdin, directory: other.root, pid: process.pid }, { name: event }).exit,
      ).toBe(0);
      const { denial } = working(other).edit('a.txt', 'one', '1').pre;
      expect([denial?.error_type, String(denial?.details['holder']).startsWith(`${host}-`)]).toEqual([
        'LOCKED_BY_OTHER',
        true,
      ]);
    },
  );
});
