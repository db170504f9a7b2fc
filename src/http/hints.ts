/** Hints name tools and commands, but callers over HTTP have routes. */

const ROUTES: Readonly<Record<string, string>> = {
  list_agents: 'GET /api/agents',
  fetch_inbox: 'GET /api/inbox/{agent_id}',
  check_conflicts: 'GET /api/reservations/check',
  my_reservations: 'GET /api/reservations',
  negotiate_release: 'POST /api/negotiations',
  respond_to_release: 'POST /api/negotiations/{thread_id}/response',
};
const OF_ONE: Readonly<Record<string, string>> = { list: 'lists' };

/** A tool, optionally followed by a command and the word after it, which may be a verb that belongs to both. */
const SAID = new RegExp(`\\b(${Object.keys(ROUTES).join('|')})\\b(?: (?:and|or) "guard [^"]*" (\\w+))?`, 'g');

export const hintForHttp = (hint: string): string =>
  hint.replace(SAID, (_, tool: string, verb: string | undefined) =>
    [ROUTES[tool], ...(verb === undefined ? [] : [OF_ONE[verb] ?? verb])].join(' '),
  );
