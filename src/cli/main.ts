/** Entry of the whole program as modules; bundled as dist/cli/cli.mjs, for use if dist/whole.cjs cannot be loaded. */
import runWhole from './whole.ts';

process.exitCode = await runWhole(process.argv.slice(2));
