/** gzip and similar tools, which replace a file with another. */
import type { Argument, Call, Reading, Writer } from '../call.ts';
import { options } from './options.ts';
import { NOTHING, file, kindOf, reworded, scope, together } from './reading.ts';

interface Kind {
  readonly suffix: string;
  /** The suffixes that it removes when decompressing. */
  readonly undoes: Readonly<Record<string, string>>;
  readonly is_undoing?: true;
  /** zstd, lz4 and brotli keep the old file. */
  readonly keeps?: true;
}

const GZIP: Kind = {
  suffix: '.gz',
  undoes: { '.gz': '', '-gz': '', '.z': '', '.Z': '', '.tgz': '.tar', '.taz': '.tar' },
};
const BZIP: Kind = { suffix: '.bz2', undoes: { '.bz2': '', '.bz': '', '.tbz2': '.tar', '.tbz': '.tar' } };
const XZ: Kind = { suffix: '.xz', undoes: { '.xz': '', '.lzma': '', '.txz': '.tar', '.tlz': '.tar' } };
const LZMA: Kind = { ...XZ, suffix: '.lzma' };
const ZSTD: Kind = { suffix: '.zst', undoes: { '.zst': '', '.tzst': '.tar' }, keeps: true };
const LZ4: Kind = { suffix: '.lz4', undoes: { '.lz4': '' }, keeps: true };
const BROTLI: Kind = { suffix: '.br', undoes: { '.br': '' }, keeps: true };
const COMPRESS: Kind = { suffix: '.Z', undoes: { '.Z': '' } };

const GRAMMAR =
  'S,suffix: o,output: F,format: T,threads: b,bits: M,memlimit: C,check: D: p,processes: B: d,decompress,uncompress k,keep ' +
  'c,stdout,to-stdout l,list t,test r,recursive rm,j output-dir-flat:';

const compressor =
  (kind: Kind): Writer =>
  (call) => {
    const given = options(call.args, GRAMMAR);
    if (given.has('c', 'l', 't')) return NOTHING;
    const keeps = kind.keeps === true ? !given.has('rm') : given.has('k');
    const out = given.value('o');
    if (out !== undefined) return file(call, out, 'write');
    return together(
      given.operands.map((name) => {
        if (kindOf(call, name) === 'directory')
          return given.has('r') ? scope(call, 'archive', [name]) : NOTHING;
        const is_undoing = kind.is_undoing === true || given.has('d');
        return together([became(call, name, kind, is_undoing), keeps ? NOTHING : file(call, name, 'remove')]);
      }),
    );
  };

function became(call: Call, name: Argument, kind: Kind, is_undoing: boolean): Reading {
  const written = (change: (text: string) => string): Reading => file(call, reworded(name, change), 'write');
  if (!is_undoing) return written((text) => text + kind.suffix);
  const undone = Object.entries(kind.undoes).find(([suffix]) => name.text?.endsWith(suffix) === true);
  if (name.text !== null && undone === undefined) return NOTHING;
  const [suffix, replacement] = undone ?? ['', ''];
  return written((text) => text.slice(0, text.length - suffix.length) + replacement);
}

/** The command that compresses, and its counterpart. */
const pair = (packs: string, undoes: string, kind: Kind): Readonly<Record<string, Writer>> => ({
  [packs]: compressor(kind),
  [undoes]: compressor({ ...kind, is_undoing: true }),
});

export const COMPRESSORS: Readonly<Record<string, Writer>> = {
  ...pair('gzip', 'gunzip', GZIP),
  ...pair('pigz', 'unpigz', GZIP),
  ...pair('bzip2', 'bunzip2', BZIP),
  pbzip2: compressor(BZIP),
  ...pair('xz', 'unxz', XZ),
  ...pair('lzma', 'unlzma', LZMA),
  ...pair('zstd', 'unzstd', ZSTD),
  ...pair('lz4', 'unlz4', LZ4),
  brotli: compressor(BROTLI),
  ...pair('compress', 'uncompress', COMPRESS),
};
