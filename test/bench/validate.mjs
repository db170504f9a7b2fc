// The cost of checking a configuration in a cold process: guard's own checker against the same checks in
// zod/mini and in classic zod, each bundled by esbuild as the hook is.
// Run: node test/bench/validate.mjs   (RUNS=40)
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describeMachine, measureCold, printTable } from './cold.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const runs = Number(process.env.RUNS ?? 40);

const CONFIG = {
  preset: 'strict',
  ttl: '20m',
  idle: '5m',
  release_on: 'session_end',
  mcp: {
    writers: [
      { tool: 'mcp__fs__write_file', paths: ['path'] },
      { tool: 'mcp__fs__edit*', paths: ['edits.file'] },
    ],
    readers: [{ tool: 'mcp__fs__read_file', paths: ['path'] }],
  },
};

const OWN = `
import { checkFile } from './src/config/check.ts';
const { problems } = checkFile(JSON.parse(process.argv[2]), 'repository');
if (problems.length > 0) throw new Error(JSON.stringify(problems));
`;

// The same checks; reasons and suggestions would cost extra.
const zod = (from, optional, regex, check, strict) => `
import * as z from '${from}';
const tool = ${strict}({ tool: z.string()${regex('/^mcp__[^*\\s]+\\*?$/')}, paths: z.array(z.string()${regex('/^[^.\\s]+(\\.[^.\\s]+)*$/')})${check('list => list.length > 0')} });
const ms = (value) => typeof value === 'number' ? value * 1000 : Number.parseFloat(value) * ({ ms: 1, s: 1000, m: 60000, h: 3600000 })[/[a-z]*$/.exec(value)[0] || 's'];
const duration = (min, max) => z.union([z.number(), z.string()${regex('/^\\d{1,9}(\\.\\d{1,3})?(ms|s|m|h)?$/')}])${check('value => ms(value) >= min && ms(value) <= max')};
const schema = ${strict}({
  $schema: ${optional('z.string()')},
  preset: ${optional("z.enum(['auto', 'standard', 'strict'])")},
  enforcement: ${optional("z.enum(['off', 'auto', 'required'])")},
  unread: ${optional("z.enum(['off', 'changed', 'always'])")},
  ttl: ${optional('duration(10000, 86400000)')},
  idle: ${optional('duration(5000, 86400000)')},
  release_on: ${optional("z.enum(['stop', 'session_end', 'never'])")},
  durability: ${optional("z.enum(['process', 'fsync'])")},
  deadline: ${optional('duration(500, 30000)')},
  mcp: ${optional(`${strict}({ writers: ${optional('z.array(tool)')}, readers: ${optional('z.array(tool)')} })`)},
});
schema.parse(JSON.parse(process.argv[2]));
`;

const MINI = zod(
  'zod/mini',
  (inner) => `z.optional(${inner})`,
  (pattern) => `.check(z.regex(${pattern}))`,
  (test) => `.check(z.refine(${test}))`,
  'z.strictObject',
);
const CLASSIC = zod(
  'zod',
  (inner) => `${inner}.optional()`,
  (pattern) => `.regex(${pattern})`,
  (test) => `.refine(${test})`,
  'z.strictObject',
);

async function bundle(contents) {
  const result = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
  });
  return result.outputFiles[0].text;
}

const sources = {
  empty: '',
  parse_only: 'JSON.parse(process.argv[2]);',
  own: await bundle(OWN),
  zod_mini: await bundle(MINI),
  zod_classic: await bundle(CLASSIC),
};
const args = Object.fromEntries(Object.keys(sources).map((name) => [name, [JSON.stringify(CONFIG)]]));

describeMachine();
for (const [name, text] of Object.entries(sources))
  process.stdout.write(`${name}: ${(text.length / 1024).toFixed(1)} KB\n`);
printTable(`Checking one configuration, ${runs} cold runs each`, measureCold(sources, { runs, args }));

// All of them must reject a wrong value, or the comparison is meaningless.
for (const name of ['own', 'zod_mini', 'zod_classic']) {
  let refused = false;
  try {
    measureCold(
      { [name]: sources[name] },
      { runs: 1, args: { [name]: [JSON.stringify({ ...CONFIG, ttl: '1s' })] } },
    );
  } catch {
    refused = true;
  }
  if (!refused) throw new Error(`${name} accepts a ttl of 1s`);
}
