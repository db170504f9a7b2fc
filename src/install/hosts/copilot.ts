/** GitHub Copilot CLI: a separate file among others. Its events do not contain their names, so the command line does. */
import { type HostRow, TIMEOUT_S } from './host.ts';

const EVENTS = [
  'sessionStart',
  'userPromptSubmitted',
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'agentStop',
  'subagentStart',
  'subagentStop',
  'sessionEnd',
];

export const copilotHooks: HostRow = {
  label: 'Copilot CLI',
  file: '.github/hooks/guard.json',
  root: '${COPILOT_PROJECT_DIR:-.}',
  content: (line) => {
    const hooks = EVENTS.map((event) => {
      const entry = { type: 'command', bash: `${line()} ${event}`, timeoutSec: TIMEOUT_S };
      return [event, [entry]];
    });
    return {
      whole: `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) as object }, null, 2)}\n`,
    };
  },
  notes: () => [
    'Copilot CLI runs the hooks of a project only in a trusted folder; elsewhere writes pass silently. A hook that fails denies every tool there: if Node itself is missing, remove the file to continue.',
  ],
};
