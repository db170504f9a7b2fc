/** sed: editing in place in its GNU and BSD forms, and the files that its script writes. */
import type { Argument, Call, Reading, Writer } from '../call.ts';
import { options } from './options.ts';
import { file, files, reworded, runsLines, textOn, together, unknownTarget, word } from './reading.ts';
import { sedEffects } from './sed-script.ts';

export const sed: Writer = (call) => {
  const [args, bsd_suffix] = withoutSuffixWord(call.args);
  const given = options(args, 'e,expression: f,file: i,in-place? I? l,line-length: n,quiet,silent');
  const has_script = given.has('e', 'f');
  const scripts = has_script ? given.values('e') : given.operands.slice(0, 1);
  const names = has_script ? given.operands : given.operands.slice(1);
  const written = together([
    ...scripts.map((it) => ofScript(call, it)),
    ...given.values('f').map((it) => ofScriptFile(call, it)),
  ]);
  if (!given.has('i', 'I')) return given.has('sandbox') ? {} : written;
  const suffix = bsd_suffix ?? (given.value('i') ?? given.value('I'))?.text ?? '';
  return together([editedInPlace(call, names, suffix), written]);
};

/** BSD: `-i ''`, `-i .bak`. GNU takes no separate word there, and neither of these is a script. */
function withoutSuffixWord(args: readonly Argument[]): [readonly Argument[], string | null] {
  const at = args.findIndex(
    ({ text }, nth) =>
      text !== null &&
      /^-[nErsuzalb]*[iI]$/.test(text) &&
      /^(?:|\.[\w~.-]+)$/.test(args[nth + 1]?.text ?? '-'),
  );
  if (at < 0) return [args, null];
  return [args.filter((_, nth) => nth !== at + 1), args[at + 1]?.text ?? ''];
}

function ofScriptFile(call: Call, name: Argument): Reading {
  const text = textOn(call, name);
  return text === null ? unknownTarget(call, name, 'script') : ofScript(call, word(text));
}

/** An unknown script is not reported: most only insert a value into a replacement. */
function ofScript(call: Call, script: Argument): Reading {
  if (script.text === null) return {};
  const { writes, lines } = sedEffects(script.text);
  return together([
    ...writes.map((name) => file(call, word(name, script.source), 'write')),
    runsLines(lines),
  ]);
}

/** The old files are kept if a suffix is given. */
export function editedInPlace(call: Call, names: readonly Argument[], suffix: string): Reading {
  const kept = suffix === '' ? [] : names.map((it) => reworded(it, (text) => backupName(text, suffix)));
  return together([files(call, names, 'edit'), files(call, kept, 'write')]);
}

function backupName(text: string, suffix: string): string {
  if (!suffix.includes('*')) return text + suffix;
  const at = text.lastIndexOf('/') + 1;
  const dir = suffix.includes('/') ? '' : text.slice(0, at);
  return dir + suffix.replaceAll('*', () => text.slice(at));
}
