import { CODE } from './measured-code.ts';
import { lines, type Row } from './rows.ts';

const COREUTILS = lines(
  undefined,
  String.raw`
  cp a.txt b.txt
  cp a.txt new.txt
  cp a.txt src
  cp a.txt src/
  cp a.txt b.txt src
  cp -t src a.txt b.txt
  cp --target-directory=src a.txt
  cp -b a.txt b.txt
  cp --backup=numbered a.txt b.txt
  cp -S .old -b a.txt b.txt
  cp -r src copy
  cp -r src other
  cp -r src/. other
  cp -a src copy
  cp -T a.txt b.txt
  cp --parents src/deep/c.txt other
  cp 'c d.txt' b.txt
  cp -n a.txt new.txt
  cp src other
  mv a.txt b.txt
  mv a.txt src
  mv src moved
  mv src other
  mv a.txt b.txt src/
  mv -t src a.txt
  mv -b a.txt b.txt
  mv -n a.txt b.txt
  mv -f a.txt new.txt
  rm a.txt
  rm -f a.txt 'c d.txt'
  rm -rf src
  rm -r src/deep
  rm src
  rm -- b.txt
  rm -d empty
  rmdir empty
  unlink a.txt
  shred -u a.txt
  shred a.txt
  truncate -s 0 a.txt
  truncate -s 5 new.txt
  touch a.txt
  touch new.txt
  touch -c absent.txt
  touch -d '2020-02-02' a.txt new.txt
  mkdir made
  mkdir -p made/deep
  mkdir -p src
  mkdir -m 700 made
  mkfifo pipe
  chmod +x a.txt
  chmod -w a.txt
  chmod 600 a.txt b.txt
  chmod -R u+x src
  chmod --reference=write.sh a.txt
  ln a.txt hard.txt
  ln -s a.txt soft
  ln -sf b.txt a.txt
  ln -s ../n.txt src
  link a.txt hard.txt
  install a.txt b.txt
  install -m 755 a.txt src
  install -d made
  install -D a.txt made/deep/a.txt
  install -t src a.txt
  dd if=a.txt of=b.txt status=none
  dd if=a.txt of=b.txt conv=notrunc status=none
  echo x | tee a.txt
  echo x | tee -a a.txt b.txt
  split -l 1 a.txt
  split -l 1 -d a.txt part-
  split -l 1 -a 3 a.txt src/p
  csplit -s a.txt 2
  csplit -s -f part a.txt 2
  sort -o n.txt n.txt
  sort n.txt -o out.txt
  sort --output=out.txt n.txt
  uniq a.txt out.txt
  shuf -o out.txt n.txt
  iconv -f utf-8 -t latin1 -o out.txt a.txt
  cp --help
  cp a.txt
  cat a.txt
  grep -rn one .
  ls -la src
  head -n1 a.txt > out.txt
  `,
);

const EDITORS = lines(
  undefined,
  String.raw`
  sed -i s/one/1/ a.txt
  sed -i.bak s/one/1/ a.txt
  sed -i -e s/one/1/ -e s/two/2/ a.txt b.txt
  sed -n -i p a.txt
  sed -Ei 's/(one)/\1/' a.txt
  sed --in-place s/one/1/ a.txt
  sed --in-place=.orig s/one/1/ src/a.txt
  sed -i'old_*' s/one/1/ a.txt
  sed -i -f script.sed a.txt
  sed -n 's/one/1/w out.txt' a.txt
  sed -n '/two/w out.txt' a.txt
  sed -n -e '1,2w out.txt' -e '$w last.txt' a.txt
  sed 's/one/w out.txt/' a.txt
  sed -n '/w b.txt/p' a.txt
  sed 's/one/1/' a.txt
  sed -n 1,2p a.txt
  awk '{ print > "out.txt" }' a.txt
  awk '{ print $1 >> "b.txt" }' a.txt
  awk -f prog.awk a.txt
  awk -v out=out.txt '{ print > out }' a.txt
  awk '$1 > 5 { print }' n.txt
  awk '{ print ($1 > 2) }' n.txt
  awk '{ print "x > out.txt" }' a.txt
  awk 'BEGIN { system("touch made.txt") }'
  perl -pi -e s/one/1/ a.txt
  perl -i.bak -pe s/one/1/ a.txt b.txt
  perl -0777 -pi -e s/one/1/ a.txt
  perl -0pi -e s/one/1/ a.txt
  perl -ne print a.txt
  perl -i -ne 'print unless /one/' a.txt
  perl -e 'open(my $fh, ">", "out.txt"); print $fh 1'
  perl -e 'open my $fh, ">>", "a.txt" or die; print $fh 1'
  perl -e 'unlink "a.txt", "b.txt"'
  perl -e 'unlink qw(a.txt b.txt)'
  perl -e 'rename "a.txt", "moved.txt"'
  perl -e 'my $f = "a.txt"; open(F, ">$f"); close F'
  perl -e 'for my $f ("a.txt", "b.txt") { open(my $o, ">", $f); }'
  perl -MFile::Copy -e 'use File::Copy; copy("a.txt", "b.txt")'
  perl -e 'print "open(F, q(>a.txt))"; # unlink "a.txt"'
  perl -e 'mkdir "made"; rmdir "empty"'
  perl write.pl out.txt
  perl -e 'system("touch made.txt")'
  perl -e 'open(my $fh, "<", "a.txt"); print <$fh>'
  patch -p1 -i fix.patch
  patch -p1 --input=new.patch
  patch -p1 -i gone.patch
  patch -p1 --dry-run -i fix.patch
  patch src/a.txt fix.patch
  patch -d src -i ../fix.patch
  patch -b -p1 -i fix.patch
  patch -o out.txt src/a.txt fix.patch
  printf '%s\n' '1d' w q | ed -s a.txt
  printf '%s\n' '1p' q | ed -s a.txt
  ex -s -c '1d' -c 'wq' a.txt
  vim -es -u NONE -c '%s/one/1/' -c 'wq' a.txt
  vim -es -u NONE -c '1d' -c 'q!' a.txt
  `,
);

const ARCHIVES = [
  ...lines(
    undefined,
    String.raw`
  tar cf out.tar src
  tar -czf out.tgz a.txt b.txt
  tar cf out.tar src && tar xf out.tar -C empty
  tar -cf out.tar --remove-files src
  tar cf - src | tar xf - -C empty
  tar cf out.tar a.txt && tar rf out.tar b.txt
  tar cf out.tar a.txt && tar tf out.tar
  gzip a.txt
  gzip -k a.txt
  gzip -c a.txt
  gunzip z.txt.gz
  gzip -d z.txt.gz
  gunzip -k z.txt.gz
  gzip -l z.txt.gz
  zcat z.txt.gz
  `,
  ),
  ...lines('zip', 'zip -q out.zip a.txt\nzip -qr out src\nzip -qm out.zip a.txt\n'),
  ...lines('unzip', 'zip -q o.zip a.txt && unzip -qo o.zip -d empty\nzip -q o.zip a.txt && unzip -l o.zip'),
  ...lines('xz', 'xz a.txt\nxz -k a.txt\nxz -c a.txt'),
  ...lines('zstd', 'zstd -q a.txt\nzstd -q --rm a.txt\nzstd -q a.txt -o out.zst'),
  ...lines('bzip2', 'bzip2 a.txt'),
  ...lines('ar', 'ar rc lib.a a.txt\nar t lib.a'),
  ...lines(
    'sqlite3',
    "sqlite3 new.db 'create table t(a)'\nsqlite3 new.db 'create table t(a)' && sqlite3 new.db 'select * from t'",
  ),
  ...lines(
    'openssl',
    'openssl rand -out key.bin 8\nopenssl base64 -in a.txt -out out.txt\nopenssl dgst a.txt',
  ),
  ...lines('ssh-keygen', "ssh-keygen -q -t ed25519 -N '' -f key"),
  ...lines(
    'gcc',
    'gcc x.c -o prog\ngcc -c x.c\ngcc x.c\ngcc -fsyntax-only x.c\ngcc -c x.c -o out.o -MMD -MF out.d',
  ),
  ...lines('xxd', 'xxd a.txt out.txt\nxxd a.txt'),
];

const TASKS = [
  ...lines('make', 'make\nmake clean\nmake two\nmake -n\nmake two OUT=n.txt\nmake -C . one'),
  ...lines('npm', 'npm run fmt\nnpm test\nnpm run lint -- a.txt'),
  ...lines(undefined, './write.sh out.txt\nbash write.sh out.txt\nsh ./write.sh a.txt'),
];

export const MEASURED: readonly Row[] = [...COREUTILS, ...EDITORS, ...ARCHIVES, ...CODE, ...TASKS];
