import type { Workspace } from '../workspace/workspace.ts';
import { isHere, projectOf } from '../operations/project.ts';
import { Refusal } from './refusal.ts';

/** @throws Refusal if something is to be created in another project, where it would never be found */
export function sameProject(space: Workspace, project: string | undefined): void {
  if (isHere(space, project)) return;
  const own = projectOf(space);
  throw new Refusal(
    400,
    'OTHER_PROJECT',
    `This server serves ${JSON.stringify(own)}, not ${JSON.stringify(project)}.`,
    { hint: `Ask the server of that project, or set INTERLOCK_PROJECT=${own} for the client.` },
  );
}
