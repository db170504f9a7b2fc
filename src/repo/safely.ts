import { constants } from 'node:fs';

/** How a file is opened that somebody else may have put there: through no link, and no pipe keeps anybody waiting. Nothing on Windows, which has neither. */
export const SAFELY = constants.O_NOFOLLOW | constants.O_NONBLOCK;
