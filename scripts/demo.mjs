// Shows guard's main job live: a scratch git repository, `guard init`, and two agents whose every step goes through the
// hook commands that init installed. The script plays the client and the models; guard is the real one. Each statement is
// checked against what happened; exit 1 if one is not true.
//   --keep      leave the scratch repository where it is
//   --no-color  (or NO_COLOR, or no terminal) plain text
import { openScreen } from './demo/screen.mjs';
import { openStage } from './demo/stage.mjs';
import { play } from './demo/story.mjs';

const unknown = process.argv.slice(2).filter((word) => !['--keep', '--no-color'].includes(word));
if (unknown.length > 0) {
  process.stderr.write(`unknown: ${unknown.join(' ')}\nusage: npm run demo [-- --keep] [-- --no-color]\n`);
  process.exit(64);
}

const screen = openScreen({
  color: process.stdout.isTTY && !process.argv.includes('--no-color') && !process.env['NO_COLOR'],
});
const stage = openStage();
const dispose = () => (process.argv.includes('--keep') ? undefined : stage.dispose());
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.on(signal, () => {
    dispose();
    process.exit(code);
  });
}

try {
  await play(stage, screen);
} catch (error) {
  screen.broke(error);
} finally {
  dispose();
}
process.exitCode = screen.end(process.argv.includes('--keep') ? stage.repo : null);
