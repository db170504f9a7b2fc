/** Files that a program itself looks up on disk: by a pattern, or in a directory. */
import type { Argument, Call, Reading } from '../call.ts';
import type { FileAct } from '../effects.ts';
import { globbedFiles } from '../glob-files.ts';
import { newBudget } from '../limits.ts';
import { file, kindOf, pathOf, word } from '../writers/reading.ts';
import { type DiskListing, MOST_TEXTS, NOBODY_KNOWS } from './value.ts';

/** The program selects files with code that is not followed. */
const CHOOSES = /\b(?:if|unless|continue|next|and|fnmatch|filter|select|reject|grep|match|test)\b|\?|&&/;
/** Only files are listed anyway. */
const ONLY_FILES = /\bif\s+(?:\w+\.is_file\(\)|os\.path\.isfile\(\w+\))(?=\s*[:)\]}])/g;
const NOT_ENDS =
  /\bnot\s+[\w.]*\.?(?:endswith|end_with)|!\s*[\w.]+\.(?:endsWith|end_with)|\bunless\b|\bcontinue\b/;
const ENDS =
  /(?:endswith|endsWith|end_with\?)\(\s*\(?([^()]*)\)|(?:\.suffix|extname\([^()]*\))\s*={2,3}\s*(["'][^"']*["'])/g;

export function listedIn(call: Call, text: string): DiskListing {
  if (/\bchdir\b/.test(text)) return () => NOBODY_KNOWS;
  const is_chosen = CHOOSES.test(text.replaceAll(ONLY_FILES, ''));
  const ends = NOT_ENDS.test(text) ? [] : endsIn(text);
  return ({ pattern, bare, is_listing }) => {
    if (is_listing === true && ends.length === 0 && is_chosen) return NOBODY_KNOWS;
    const isMeant = (name: string): boolean => ends.length === 0 || ends.some((end) => name.endsWith(end));
    const options = new Set(['globstar']);
    const { look } = call.start;
    const pieces = [{ text: pattern, is_quoted: false }];
    const found = globbedFiles(pieces, { look, cwd: call.cwd, options, budget: newBudget() });
    if (found === 'directory') return NOBODY_KNOWS;
    if (found === null) return { texts: [pattern] };
    const files =
      found === 'limit' ? [] : found.filter((it) => isMeant(it) && kindOf(call, word(it)) === 'file');
    const glob = ends.length === 1 && pattern.endsWith('*') ? `${pattern}${ends[0] ?? ''}` : pattern;
    if (found === 'limit' || files.length > MOST_TEXTS) return { texts: [null], glob };
    const cut = bare === true ? pattern.lastIndexOf('/') + 1 : 0;
    return { texts: files.map((it) => it.slice(cut)), glob };
  };
}

function endsIn(text: string): readonly string[] {
  return [...text.matchAll(ENDS)].flatMap(([, many = '', one = '']) =>
    [...`${many}${one}`.matchAll(/["']([^"']+)["']/g)].flatMap(([, end]) => end ?? []),
  );
}

/** Files that code looks up on disk, if there are more than can be listed; without a glob they are unknown. */
export function unlisted(call: Call, source: string, glob: string | undefined, act: FileAct): Reading {
  const path = glob === undefined ? null : pathOf(call, word(glob));
  const name: Argument = { text: null, source, is_expanded: true, reason: 'code' };
  return file(call, path === null ? name : { ...name, glob: path }, act);
}
