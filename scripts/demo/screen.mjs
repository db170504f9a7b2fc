// Prints the demo's output, and checks that it is true.
import { isDeepStrictEqual } from 'node:util';

const WIDTH = 96;
const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 };

export function openScreen({ color, write = (text) => process.stdout.write(text) }) {
  const paint = (name, text) => (color ? `\u001b[${CODES[name]}m${text}\u001b[0m` : text);
  const began_ms = performance.now();
  const lines = [];
  let number = 0;
  let checks = 0;
  let wrong = 0;

  const say = (text, name) =>
    text
      .split('\n')
      .forEach((line) => lines.push(`      ${name === undefined ? line : paint(name, line)}\n`));

  /** States what should be true, and checks it. */
  function check(statement, actual, wanted = true) {
    checks += 1;
    if (isDeepStrictEqual(actual, wanted)) return say(`${paint('green', '✓')} ${statement}`);
    wrong += 1;
    say(`${paint('red', '✗')} ${statement}`);
    return say(`wanted ${JSON.stringify(wanted)}\ngot    ${JSON.stringify(actual)}`, 'red');
  }

  function flush(title, ms) {
    number += 1;
    const time = `${Math.round(ms)} ms`;
    const gap = ' '.repeat(Math.max(2, WIDTH - 4 - title.length - time.length));
    write(
      `\n${paint('cyan', String(number).padStart(2))}  ${paint('bold', title)}${gap}${paint('dim', time)}\n`,
    );
    lines.splice(0).forEach((line) => write(line));
  }

  return {
    say,
    check,
    title: (text) => write(`${paint('bold', text)}\n`),
    json: (value) => say(JSON.stringify(value, null, 2), 'yellow'),
    /** One step of the story with all its output, timed. */
    async step(title, work) {
      const start_ms = performance.now();
      try {
        return await work();
      } finally {
        flush(title, performance.now() - start_ms);
      }
    },
    broke(error) {
      wrong += 1;
      write(`\n${paint('red', `✗ The demo could not continue: ${error.stack ?? error}`)}\n`);
    },
    /** Prints the result; returns the exit code. */
    end(kept) {
      const seconds = ((performance.now() - began_ms) / 1000).toFixed(1);
      if (kept !== null) write(`\nThe repository is kept: ${kept}\n`);
      const verdict =
        wrong === 0
          ? paint('green', `All ${checks} statements were true.`)
          : paint('red', `${wrong} of the demo's statements were not true.`);
      write(`\n${verdict} ${number} steps in ${seconds} s.\n`);
      return wrong === 0 ? 0 : 1;
    },
  };
}
