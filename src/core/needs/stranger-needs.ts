// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Clients that work here without guard, and what guards them. */
import { plain } from '../plain.ts';
import type { Need, NeedsView, OtherClient } from './need.ts';

/** As people call them. */
const CLIENTS: Readonly<Record<OtherClient['client'], string>> = {
  codex: 'Codex',
  gemini: 'Gemini CLI',
  qwen: 'Qwen Code',
  copilot: 'Copilot CLI',
  opencode: 'opencode',
};

export function strangerNeeds({ told }: NeedsView): Need[] {
  const claudes = (told.unjoined ?? []).map((one) => ({
    ...{ one, client: 'Claude Code' },
    why: [
      `Claude Code, pid ${one.pid}, works in ${plain(one.cwd)}, and its hooks never ran.`,
      `Start it in ${plain(told.repository)}, or for every directory: guard init --scope user`,
      'For more, run: guard doctor',
    ],
  }));
  const others = (told.other_clients ?? []).map((one) => ({
    ...{ one, client: CLIENTS[one.client] },
    why: [
      `${CLIENTS[one.client]}, pid ${one.pid}, works in ${plain(one.cwd)}, and has no hooks of guard.`,
      `To guard it: guard init --host ${one.client}`,
    ],
  }));
  return [...claudes, ...others].map(({ one: { pid, start, cwd, age_s }, client, why }) => ({
    kind: 'unguarded',
    id: JSON.stringify(['client', pid, start]),
    label: 'unguarded',
    tone: 'yellow',
    age_ms: age_s * 1000,
    who: `${client} without guard, pid ${pid}`,
    what: plain(cwd),
    detail: why,
  }));
}
