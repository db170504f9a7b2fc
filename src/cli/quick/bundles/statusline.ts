import * as statusline from '../../commands/statusline.ts';
import { quickRun } from '../main.ts';

export default quickRun({ statusline });
