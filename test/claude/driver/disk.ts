/**
 * What the client's file tools do to a file, as measured on 2.1.330: Edit keeps encoding and line endings,
 * Write stores the content as given and keeps a byte order mark, and both write through a rename.
 */
import fs from 'node:fs';

interface Decoded {
  readonly text: string;
  readonly bom: boolean;
  readonly utf16: boolean;
  readonly crlf: boolean;
}

function decode(bytes: Buffer): Decoded {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const raw = bytes.toString(utf16 ? 'utf16le' : 'utf8');
  const bom = raw.startsWith('\uFEFF');
  const crlf = raw.slice(0, 4096).split('\r\n').length - 1;
  const lf = raw.slice(0, 4096).split('\n').length - 1 - crlf;
  return { text: raw.replaceAll('\r\n', '\n'), bom, utf16, crlf: crlf > lf };
}

function store(file: string, text: string, utf16: boolean): void {
  const mode = fs.existsSync(file) ? fs.statSync(file).mode : 0o644;
  const temp = `${file}.client-tmp`;
  fs.writeFileSync(temp, Buffer.from(text, utf16 ? 'utf16le' : 'utf8'), { mode });
  fs.chmodSync(temp, mode);
  fs.renameSync(temp, file);
}

/** tool_response of a Read. Lines are split at LF: a final newline adds an empty line. */
export function read(file: string, offset = 1, limit = Infinity): object {
  const lines = decode(fs.readFileSync(file))
    .text.replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
  const shown = lines.slice(offset - 1, offset - 1 + limit);
  return {
    type: 'text',
    file: {
      filePath: file,
      content: shown.join('\n'),
      numLines: shown.length,
      startLine: offset,
      totalLines: lines.length,
    },
  };
}

export function edit(file: string, from: string, to: string, all = false): object {
  const { text, utf16, crlf } = decode(fs.readFileSync(file));
  if (!text.includes(from)) throw new Error(`the client would refuse: ${from} is not in ${file}`);
  const after = all ? text.replaceAll(from, () => to) : text.replace(from, () => to);
  store(file, crlf ? after.replaceAll('\n', '\r\n') : after, utf16);
  return {
    filePath: file,
    oldString: from,
    newString: to,
    originalFile: text,
    structuredPatch: [],
    userModified: false,
    replaceAll: all,
  };
}

export function write(file: string, content: string): object {
  const old = fs.existsSync(file) ? decode(fs.readFileSync(file)) : null;
  const kept = old?.bom === true && !content.startsWith('\uFEFF') ? `\uFEFF${content}` : content;
  store(file, kept, old?.utf16 ?? false);
  const fresh = old === null || old.text === '';
  return {
    type: fresh ? 'create' : 'update',
    filePath: file,
    content: kept,
    structuredPatch: [],
    originalFile: fresh ? null : old.text,
    userModified: false,
  };
}
