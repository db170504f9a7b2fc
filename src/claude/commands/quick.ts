/** Most command lines only read: they are recognised without parsing, so that the parser need not be loaded. */

/** Commands that write nothing, whatever their arguments. */
const LOOKS =
  /^(?:cd|ls|pwd|cat|head|tail|wc|grep|egrep|fgrep|rg|which|type|file|stat|du|df|date|whoami|id|uname|ps|true|false|test|basename|dirname|realpath|readlink|diff|cmp|sleep|echo|printf|nl|tac|od|xxd|jq|cut|tr|uniq|column|tree|sha256sum|md5sum)$/;
/** `--output` of git, `-o` of tree, an editor or a pager set by an option: left to the parser. */
const SUSPECT = /(?:^|\s)(?:-o\S*|--output\S*|-O\S*|--open-files-in-pager\S*|--ext-diff|-C\S*|-c\S*)(?:\s|$)/;
const GIT_LOOKS =
  /^git (?:status|diff|log|show|rev-parse|ls-files|ls-tree|blame|describe|shortlog|cat-file|merge-base)\b/;
/** Prints by address only: nothing with which a sed script could write. */
const SED_PRINTS = /^sed -n (['"]?)[\d,$; p]+\1(?:\s|$)/;

/** False if it may write; the line must then be parsed. */
export function lineOnlyLooks(line: string): boolean {
  if (line.length > 4_096) return false;
  const bare = line.replace(/(?:\d?>&\d|&>\s*\/dev\/null|\d?>>?\s*\/dev\/null)(?![^\s;&|)])/g, '');
  // Characters that run something inside a word, or hide where a word ends.
  if (/[><`\\]|\$\(|\$\{|=\(/.test(bare)) return false;
  return bare.split(/[;&|\n()]+/).every(isLook);
}

function isLook(part: string): boolean {
  const command = part.trim();
  if (command === '' || command.startsWith('#')) return true;
  if (GIT_LOOKS.test(command)) return !SUSPECT.test(command);
  if (SED_PRINTS.test(command)) return true;
  const [name = ''] = command.split(/\s/, 1);
  if (name === 'tree' || name === 'xxd' || name === 'uniq') return !/\s-|\s\S+\s+\S/.test(command);
  return LOOKS.test(name);
}
