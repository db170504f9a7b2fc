/** Operations of this engine other than looks and commits (store/fleet.ts). Loads the driver. */
export { askEngine, leapBeyond } from './as-agent.ts';
export { runBench } from './bench/run.ts';
export { asOwner, loginIn } from './owner.ts';
