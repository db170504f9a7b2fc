/**
 * The client's file tools as a pure model, so that properties can be tested on texts without recordings.
 * client-model.test.ts compares it with every recorded case of the real client.
 */

export interface ReadResponse {
  readonly type: 'text';
  readonly file: {
    readonly content: string;
    readonly numLines: number;
    readonly startLine: number;
    readonly totalLines: number;
  };
}

export interface WriteResult {
  readonly response: Readonly<Record<string, unknown>>;
  readonly after: Buffer;
}

const BOM = '\uFEFF';
const isUtf16 = (bytes: Buffer): boolean => bytes[0] === 0xff && bytes[1] === 0xfe;
const decode = (bytes: Buffer): string => bytes.toString(isUtf16(bytes) ? 'utf16le' : 'utf8');
const encode = (text: string, like: Buffer): Buffer => Buffer.from(text, isUtf16(like) ? 'utf16le' : 'utf8');
const toLf = (text: string): string => text.replaceAll('\r\n', '\n');

export function read(bytes: Buffer, range: { offset?: number; limit?: number } = {}): ReadResponse {
  const text = decode(bytes);
  const lines = (text.startsWith(BOM) ? text.slice(1) : text)
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
  const start = Math.max(0, (range.offset ?? 1) - 1);
  const shown = lines.slice(start, range.limit === undefined ? undefined : start + range.limit);
  const file = {
    content: shown.join('\n'),
    numLines: shown.length,
    startLine: range.offset ?? 1,
    totalLines: lines.length,
  };
  return { type: 'text', file };
}

export function write(before: Buffer | null, content: string): WriteResult {
  const old = before === null || before.length === 0 ? null : decode(before);
  const written = old?.startsWith(BOM) && !content.startsWith(BOM) ? BOM + content : content;
  const response = {
    type: old === null ? 'create' : 'update',
    content: written,
    originalFile: old === null ? null : toLf(old),
  };
  return { response, after: encode(written, before ?? Buffer.alloc(0)) };
}

/** True if the first 4,096 characters have more CR LF than lone LF. */
function isCrlf(text: string): boolean {
  const head = text.slice(0, 4096);
  const crlf = head.split('\r\n').length - 1;
  return crlf > head.split('\n').length - 1 - crlf;
}

export function edit(before: Buffer, from: string, to: string, all: boolean): WriteResult {
  const old = decode(before);
  const originalFile = toLf(old);
  const target = to === '' && !from.endsWith('\n') && originalFile.includes(`${from}\n`) ? `${from}\n` : from;
  const edited = all ? originalFile.split(target).join(to) : originalFile.replace(target, () => to);
  const after = isCrlf(old) ? toLf(edited).replaceAll('\n', '\r\n') : edited;
  return {
    response: { oldString: from, newString: to, replaceAll: all, originalFile },
    after: encode(after, before),
  };
}
