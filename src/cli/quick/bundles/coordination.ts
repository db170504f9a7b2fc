import * as agents from '../../commands/agents.ts';
import * as conflicts from '../../commands/conflicts.ts';
import * as message from '../../commands/message.ts';
import * as reservations from '../../commands/reservations.ts';
import { quickRun } from '../main.ts';

export default quickRun({ agents, conflicts, message, reservations });
export { endProcess } from '../../../repo/end-process.ts';
