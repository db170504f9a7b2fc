/** Every route. Both the document and the server are generated from this table. */
import type { HttpRoute } from './route.ts';
import { ABOUT_ROUTES } from './routes/about.ts';
import { AGENT_ROUTES } from './routes/agents.ts';
import { MESSAGE_ROUTES } from './routes/messages.ts';
import { NEGOTIATION_ROUTES } from './routes/negotiations.ts';
import { RESERVATION_ROUTES } from './routes/reservations.ts';

export const HTTP_ROUTES: readonly HttpRoute[] = [
  ...RESERVATION_ROUTES,
  ...AGENT_ROUTES,
  ...MESSAGE_ROUTES,
  ...NEGOTIATION_ROUTES,
  ...ABOUT_ROUTES,
];
