import * as lock from '../../commands/lock.ts';
import { quickRun } from '../main.ts';

export default quickRun({ lock });
export { endProcess } from '../../../repo/end-process.ts';
