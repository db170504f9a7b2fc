/** Claude Code settings as text: whether they may be edited, and if not, why. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { GuardError } from '../core/error.ts';
import { isObject, type JsonObject } from '../core/json-object.ts';

export { isObject } from '../core/json-object.ts';
export type { JsonObject } from '../core/json-object.ts';

const BOM = '\uFEFF';

export interface SettingsText {
  /** Without the byte order mark; '{}' and a newline for an empty file. */
  readonly text: string;
  /** What to put before `text` when it is written. */
  readonly bom: string;
  readonly value: JsonObject;
}

export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** A reason why the client ignores the file, or guard must not edit it. */
export class SettingsFault {
  readonly reason: string;
  readonly place: TextPosition | null;

  constructor(reason: string, place: TextPosition | null) {
    this.reason = reason;
    this.place = place;
  }
}

/**
 * The client reads strict JSON (a byte order mark and an empty file pass): a comment or a trailing comma makes it drop the
 * file with all its hooks, silently in `-p`. So such a file is not edited, nor "repaired" by rewriting.
 */
export function readSettingsText(bytes: Uint8Array): SettingsText | SettingsFault {
  let whole;
  try {
    whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new SettingsFault('it is not UTF-8', null);
  }
  const bom = whole.startsWith(BOM) ? BOM : '';
  const text = whole.slice(bom.length);
  if (text.trim() === '') return { text: '{}\n', bom, value: {} };
  return parsed(text, bom);
}

/** Empty for no file, and for one that cannot be edited. */
export function settingsIn(bytes: Uint8Array | null): JsonObject {
  const read = bytes === null ? null : readSettingsText(bytes);
  return read === null || read instanceof SettingsFault ? {} : read.value;
}

function parsed(text: string, bom: string): SettingsText | SettingsFault {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return syntaxFault(text, error instanceof Error ? error.message : '');
  }
  if (!isObject(value)) return new SettingsFault('it is not an object', placeOf(text, text.search(/\S/)));
  return shapeFault(text, value) ?? { text, bom, value };
}

/** V8 knows whether it is JSON; jsonc-parser knows where it stops being JSON, and recognises what people write. */
function syntaxFault(text: string, v8: string): SettingsFault {
  const errors: ParseError[] = [];
  try {
    parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    return new SettingsFault('it is nested too deeply', null);
  }
  const first = errors[0];
  const at = first?.offset ?? Number(/position (\d+)/.exec(v8)?.[1] ?? 0);
  const before = text.slice(0, at).trimEnd();
  if (first !== undefined && printParseErrorCode(first.error) === 'InvalidCommentToken') {
    return new SettingsFault('it has a comment, which is not JSON', placeOf(text, at));
  }
  if (before.endsWith(',') && /^[}\]]/.test(text.slice(at))) {
    return new SettingsFault('it has a trailing comma, which is not JSON', placeOf(text, before.length - 1));
  }
  return new SettingsFault('it is not valid JSON', placeOf(text, at));
}

/** What guard edits must have the shape that the client reads, with each key once. */
function shapeFault(text: string, value: JsonObject): SettingsFault | null {
  const root = parseTree(text);
  const hooks = child(root, 'hooks');
  const permissions = child(root, 'permissions');
  const twice = [root, hooks, permissions].map((node) => duplicateKey(node)).find((key) => key !== undefined);
  if (twice !== undefined) {
    return new SettingsFault(`${String(twice.value)} is in it twice`, placeOf(text, twice.offset));
  }
  const wrong = [
    expects(hooks, 'object', 'hooks'),
    expects(permissions, 'object', 'permissions'),
    expects(child(permissions, 'allow'), 'array', 'permissions.allow'),
    ...(isObject(value['hooks']) ? Object.keys(value['hooks']) : []).map((event) =>
      expects(child(hooks, event), 'array', `hooks.${event}`),
    ),
  ].find((fault) => fault !== null);
  return wrong === undefined ? null : new SettingsFault(wrong.reason, placeOf(text, wrong.offset));
}

function expects(node: Node | undefined, type: 'object' | 'array', name: string) {
  return node === undefined || node.type === type
    ? null
    : { reason: `${name} is not an ${type}`, offset: node.offset };
}

/** JSON.parse takes the last duplicate, findNodeAtLocation the first. They agree only if there is one. */
function child(node: Node | undefined, name: string): Node | undefined {
  const property = node?.children?.find((candidate) => candidate.children?.[0]?.value === name);
  return property?.children?.[1];
}

function duplicateKey(node: Node | undefined): Node | undefined {
  if (node?.type !== 'object') return undefined;
  const keys = (node.children ?? []).flatMap((property) => property.children?.[0] ?? []);
  return keys.find((key, at) => keys.findIndex((other) => other.value === key.value) !== at);
}

export function placeOf(text: string, offset: number): TextPosition {
  const before = text.slice(0, Math.max(0, offset)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** @param file the name by which the person knows it */
export function settingsError(file: string, fault: SettingsFault): GuardError {
  const where = fault.place === null ? '' : `:${fault.place.line}:${fault.place.column}`;
  return new GuardError(
    'GUARD_ERR_SETTINGS',
    `${file}${where} cannot be used: ${fault.reason}.`,
    'A client may ignore such a file, with every hook in it. Nothing was changed: correct it, then run the command again.',
    { file, reason: fault.reason, line: fault.place?.line ?? null, column: fault.place?.column ?? null },
  );
}
