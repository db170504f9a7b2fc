import * as statusline from '../../commands/statusline.ts';
import { quickRun } from '../main.ts';

export default quickRun({ statusline });
export { endProcess } from '../../../repo/end-process.ts';
