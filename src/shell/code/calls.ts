/** Which calls of each language write, and which argument is the path. */
import type { FileAct } from '../effects.ts';
import type { Language } from './token.ts';

export interface Written {
  /** The index of the argument; `all`: it and every argument after it. */
  readonly at: number;
  readonly all?: true;
  readonly act: FileAct;
  readonly is_tree?: true;
  /** If the target is a directory, the file goes into it under the name of this argument. */
  readonly from?: number;
}

/** A method of a path; `self` is the object that it is called on. */
interface Method {
  readonly self?: FileAct;
  readonly to?: FileAct;
  readonly is_tree?: true;
  readonly is_sure?: true;
}

export interface CallTable {
  readonly functions: Readonly<Record<string, readonly Written[]>>;
  readonly methods: Readonly<Record<string, Method>>;
  /** Calls that take the path first, then a mode. */
  readonly opens: RegExp;
  /** Calls that take a shell line, or a program with its arguments. */
  readonly shells: RegExp;
  /** Calls that run code which cannot be determined. */
  readonly evals: RegExp;
  readonly chdir: RegExp;
}

const one = (act: FileAct, at = 0): readonly Written[] => [{ at, act }];
const tree = (act: FileAct): readonly Written[] => [{ at: 0, act, is_tree: true }];
const all = (act: FileAct, at = 0): readonly Written[] => [{ at, act, all: true }];
const copied: readonly Written[] = [{ at: 1, act: 'write', from: 0 }];
const moved: readonly Written[] = [
  { at: 0, act: 'move' },
  { at: 1, act: 'write', from: 0 },
];
const renamed: readonly Written[] = [
  { at: 0, act: 'move' },
  { at: 1, act: 'write' },
];
const copiedTree: readonly Written[] = [{ at: 1, act: 'write', is_tree: true }];

const spread = <T>(names: string, written: T): Record<string, T> =>
  Object.fromEntries(names.split(' ').map((it) => [it, written]));

const python: CallTable = {
  functions: {
    ...spread('shutil.copy shutil.copy2', copied),
    ...spread('shutil.copyfile', one('write', 1)),
    ...spread('shutil.copymode shutil.copystat', one('attributes', 1)),
    ...spread('shutil.copytree', copiedTree),
    ...spread('shutil.move', moved),
    ...spread('shutil.rmtree', tree('remove')),
    ...spread('os.remove os.unlink os.rmdir os.removedirs', one('remove')),
    ...spread('os.rename os.replace os.renames', renamed),
    ...spread('os.mkdir os.makedirs os.mkfifo', one('create')),
    ...spread('os.link os.symlink', one('create', 1)),
    ...spread('os.truncate', one('edit')),
    ...spread('os.chmod os.chown os.utime', one('attributes')),
    ...spread('np.save np.savez np.savetxt numpy.save numpy.savez numpy.savetxt', one('write')),
    ...spread('urllib.request.urlretrieve', one('write', 1)),
    ...spread('plt.savefig', one('write')),
  },
  methods: {
    ...spread<Method>('write_text write_bytes', { self: 'write', is_sure: true }),
    unlink: { self: 'remove', is_sure: true },
    ...spread<Method>('touch chmod', { self: 'attributes' }),
    rmdir: { self: 'remove' },
    ...spread<Method>('mkdir symlink_to hardlink_to', { self: 'create' }),
    ...spread<Method>('rename replace', { self: 'move', to: 'write' }),
    ...spread<Method>('to_csv to_json to_excel to_parquet savefig', { to: 'write' }),
  },
  opens:
    /^(?:open|io\.open|codecs\.open|gzip\.open|bz2\.open|lzma\.open|tarfile\.open|zipfile\.ZipFile|aiofiles\.open|builtins\.open)$/,
  shells:
    /^(?:os\.(?:system|popen)|subprocess\.(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput))$/,
  evals: /^(?:exec|eval)$/,
  chdir: /^os\.chdir$/,
};

const both = (names: string): string =>
  names
    .split(' ')
    .flatMap((it) => [`fs.${it}`, `fs.${it}Sync`])
    .join(' ');

const node: CallTable = {
  functions: {
    ...spread(both('writeFile'), one('write')),
    ...spread(both('appendFile'), one('append')),
    ...spread('fs.createWriteStream', one('write')),
    ...spread(both('rm'), tree('remove')),
    ...spread(both('unlink rmdir'), one('remove')),
    ...spread(both('rename'), renamed),
    ...spread(both('copyFile'), one('write', 1)),
    ...spread(both('cp'), copiedTree),
    ...spread(both('truncate'), one('edit')),
    ...spread(both('mkdir'), one('create')),
    ...spread(both('symlink link'), one('create', 1)),
    ...spread(both('chmod chown utimes lutimes'), one('attributes')),
    ...spread(both('outputFile outputJson outputJSON writeJson writeJSON'), one('write')),
    ...spread(both('remove emptyDir emptydir'), tree('remove')),
    ...spread(both('move'), renamed),
    ...spread(both('copy'), copiedTree),
    ...spread(both('ensureFile ensureDir mkdirp'), one('create')),
    ...spread(
      'Bun.write Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Deno.writeFileSync',
      one('write'),
    ),
    ...spread('Deno.remove Deno.removeSync', tree('remove')),
    ...spread('Deno.rename Deno.renameSync', renamed),
    ...spread('Deno.copyFile Deno.copyFileSync', one('write', 1)),
    ...spread('Deno.mkdir Deno.mkdirSync', one('create')),
  },
  methods: {},
  opens: /^fs\.open(?:Sync)?$/,
  shells: /^child_process\.(?:exec|execSync|spawn|spawnSync|execFile|execFileSync)$/,
  evals: /^eval$/,
  chdir: /^process\.chdir$/,
};

const ruby: CallTable = {
  functions: {
    ...spread('File.write File.binwrite IO.write IO.binwrite', one('write')),
    ...spread('File.delete File.unlink', all('remove')),
    ...spread('File.rename', renamed),
    ...spread('File.truncate', one('edit')),
    ...spread('File.chmod', all('attributes', 1)),
    ...spread('File.utime', all('attributes', 2)),
    ...spread('File.symlink File.link FileUtils.ln FileUtils.ln_s FileUtils.ln_sf', one('create', 1)),
    ...spread(
      'FileUtils.rm FileUtils.rm_f FileUtils.remove FileUtils.safe_unlink FileUtils.rmdir Dir.rmdir Dir.delete Dir.unlink',
      one('remove'),
    ),
    ...spread(
      'FileUtils.rm_r FileUtils.rm_rf FileUtils.rmtree FileUtils.remove_dir FileUtils.remove_entry',
      tree('remove'),
    ),
    ...spread('FileUtils.mv FileUtils.move', moved),
    ...spread('FileUtils.cp FileUtils.copy FileUtils.install', copied),
    ...spread('FileUtils.copy_file FileUtils.copy_entry', one('write', 1)),
    ...spread('FileUtils.cp_r', copiedTree),
    ...spread('FileUtils.touch', one('attributes')),
    ...spread(
      'FileUtils.mkdir FileUtils.mkdir_p FileUtils.makedirs FileUtils.mkpath Dir.mkdir',
      one('create'),
    ),
    ...spread('FileUtils.chmod FileUtils.chown', one('attributes', 1)),
  },
  methods: {
    ...spread<Method>('write binwrite', { self: 'write' }),
    ...spread<Method>('delete unlink', { self: 'remove' }),
    rename: { self: 'move', to: 'write' },
    rmtree: { self: 'remove', is_tree: true },
  },
  opens: /^(?:open|File\.open|File\.new|Kernel\.open|CSV\.open)$/,
  shells: /^(?:Kernel\.)?(?:system|exec|spawn)$|^IO\.popen$|^Open3\.(?:capture2|capture2e|capture3)$/,
  evals: /^(?:eval|instance_eval)$/,
  chdir: /^(?:Dir|FileUtils)\.(?:chdir|cd)$/,
};

const perl: CallTable = {
  functions: {
    ...spread('unlink', all('remove')),
    ...spread('rmdir', one('remove')),
    ...spread('rename', renamed),
    ...spread('mkdir', one('create')),
    ...spread('truncate', one('edit')),
    ...spread('symlink link', one('create', 1)),
    ...spread('chmod', all('attributes', 1)),
    ...spread('chown utime', all('attributes', 2)),
    ...spread('copy cp File::Copy.copy', copied),
    ...spread('move mv File::Copy.move', moved),
    ...spread('rmtree remove_tree File::Path.rmtree File::Path.remove_tree', [
      { at: 0, act: 'remove', all: true, is_tree: true },
    ]),
    ...spread('make_path mkpath File::Path.make_path', all('create')),
    ...spread('write_file overwrite_file', one('write')),
    ...spread('append_file', one('append')),
    ...spread('edit_file edit_file_lines', one('edit', 1)),
  },
  methods: {
    ...spread<Method>('spew spew_utf8 spew_raw', { self: 'write' }),
    ...spread<Method>('append append_utf8', { self: 'append' }),
    ...spread<Method>('edit edit_lines', { self: 'edit' }),
    remove: { self: 'remove' },
    remove_tree: { self: 'remove', is_tree: true },
    touch: { self: 'attributes' },
    move: { self: 'move', to: 'write' },
    copy: { to: 'write' },
  },
  opens: /^(?!)/,
  shells: /^(?:system|exec)$/,
  evals: /^evalbytes$/,
  chdir: /^chdir$/,
};

export const CALLS: Readonly<Record<Language, CallTable>> = { python, node, ruby, perl };
