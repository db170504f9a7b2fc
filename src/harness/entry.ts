/** The program that start.ts starts: it runs the supervisor, one bundled file, from its compiled form. */
import { keepCompiled, load, type Program } from '../repo/compiled.ts';

/** By then it is at work. Its end may be hours away, and a killed process never reaches one. */
const BEGUN_MS = 500;

const program: Program = new Map();
load(`${__dirname}/supervise-main.cjs`, program);
setTimeout(() => keepCompiled(program, () => true), BEGUN_MS).unref();
