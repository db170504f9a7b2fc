import type { Desk } from '../operations/desk.ts';
import { isHere } from '../operations/desk.ts';
import { Refusal } from './refusal.ts';

/** @throws Refusal where something is to be made in another project: it would never be found there. */
export function sameProject(desk: Desk, project: string | undefined): void {
  if (isHere(desk, project)) return;
  throw new Refusal(
    400,
    'OTHER_PROJECT',
    `This server serves ${JSON.stringify(desk.project)}, not ${JSON.stringify(project)}.`,
    { hint: `Ask the server of that project, or set INTERLOCK_PROJECT=${desk.project} for the client.` },
  );
}
