import * as reserve from '../../commands/reserve.ts';
import * as unreserve from '../../commands/unreserve.ts';
import { quickRun } from '../main.ts';

export default quickRun({ reserve, unreserve });
export { endProcess } from '../../../repo/end-process.ts';
