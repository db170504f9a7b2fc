import * as status from '../../commands/status.ts';
import { quickRun } from '../main.ts';

export default quickRun({ status });
export { endProcess } from '../../../repo/end-process.ts';
