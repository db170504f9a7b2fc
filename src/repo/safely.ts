import { constants } from 'node:fs';

/** Opens a file that others may have put there: follows no link, and does not block on a pipe. Windows has neither. */
export const SAFELY = constants.O_NOFOLLOW | constants.O_NONBLOCK;
