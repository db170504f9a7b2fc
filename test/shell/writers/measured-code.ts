/** Programs on the command line, in a here-document, in a file. */
import { lines, type Row } from './rows.ts';

export const CODE: readonly Row[] = [
  ...lines(
    'python3',
    String.raw`
  python3 -c 'open("a.txt", "w").write("x")'
  python3 -c "p='a.txt'; s=open(p).read(); open(p,'w').write(s.replace('one','1'))"
  python3 -c 'from pathlib import Path; Path("a.txt").write_text("x")'
  python3 -c 'from pathlib import Path; (Path("src") / "a.txt").write_text("x")'
  python3 -c 'import pathlib; p = pathlib.Path("src"); p = p / "b.txt"; p.write_bytes(b"x")'
  python3 -c 'import os; os.remove("a.txt"); os.rename("b.txt", "moved.txt")'
  python3 -c 'import shutil; shutil.copy("a.txt", "src"); shutil.move("b.txt", "other"); shutil.rmtree("empty")'
  python3 -c 'import os; os.makedirs("made", exist_ok=True)'
  python3 -c 'from os import remove as rm; rm("a.txt")'
  python3 -c 'import os; open(os.path.join("src", "new.txt"), mode="x").close()'
  python3 -c 'print("open(\"a.txt\", \"w\")")  # open("b.txt", "w")'
  python3 -c 'print(open("a.txt").read())'
  python3 -c 'open("a.txt", "r+").write("x")'
  python3 -c 'import sys; open(sys.argv[1], "a").write("x")' a.txt
  python3 -c 'import os; os.chdir("src"); open("b.txt", "w").write("x")'
  python3 -c 'import os; os.system("touch made.txt")'
  python3 -c 'import subprocess; subprocess.run(["rm", "a.txt"])'
  python3 -c "import glob; [open(f, 'a').write('x') for f in glob.glob('src/*.txt')]"
  python3 -c "from pathlib import Path; [p.write_text('x') for p in Path('src').rglob('*.txt')]"
  python3 -c "import os; {f: os.remove(f) for f in ('a.txt', 'b.txt')}"
  python3 -c "import glob, os; list(os.remove(f) for f in glob.glob('*.patch') if f.endswith('new.patch'))"
  python3 -c "import glob; x = [f for f in glob.glob('src/*.txt')]; [open(f, 'a').write('x') for f in x]"
  python3 -c "f = 'a.txt'; x = [f for f in ['b.txt']]; open(f, 'w')"
  python3 write.py out.txt
  python3 -m json.tool package.json out.json
  `,
  ),
  ...[
    "python3 - <<'EOF'\nfor f in ['a.txt', 'b.txt']:\n    s = open(f).read()\n    with open(f, 'w') as out:\n        out.write(s)\nEOF",
    ...[
      "sorted(p for p in Path('src').rglob('*.txt') if p.is_file())",
      "[p for p in Path('src').glob('*.txt')]",
      "list(p for p in Path('src').glob('*.txt'))",
      "sorted((p for p in Path('src').iterdir() if p.is_file()), key=str)",
      "tuple(p for p in Path('src').iterdir() if p.suffix == '.txt')",
      "{p for p in Path('src').rglob('*.txt')}",
      "[Path(f) for f in glob.glob('src/*.txt') if f.endswith('b.txt')]",
      "(Path(os.path.join('src', f)) for f in os.listdir('src') if f.endswith('.txt'))",
    ].map(
      (all) =>
        `python3 <<'EOF'\nimport glob, os\nfrom pathlib import Path\nfor p in ${all}:\n    p.write_text('x')\nEOF`,
    ),
    "python3 <<'EOF'\nimport glob\nfor n, f in enumerate(f for f in glob.glob('src/*.txt')):\n    open(f, 'w').write(str(n))\nEOF",
    "python3 <<'EOF'\nfrom pathlib import Path\nfor p, n in [(p, 1) for p in Path('src').rglob('*.txt')]:\n    p.write_text(str(n))\nEOF",
    "python3 <<'EOF'\nfrom pathlib import Path\ndef rep(path, old, new):\n    p = Path(path)\n    p.write_text(p.read_text().replace(old, new))\nrep('a.txt', 'one', '1')\nrep('src/b.txt', 'b', 'B')\nEOF",
    "python3 - <<'EOF'\nfor path, old in [('a.txt', 'one'), ('b.txt', 'beta')]:\n    open(path, 'w').write(old)\nEOF",
    "python3 - <<'EOF'\nfiles = {'a.txt': 'x', 'new.txt': 'y'}\nfor name, text in files.items():\n    open(name, 'w').write(text)\nEOF",
    'python3 - <<\'EOF\'\n"""open("a.txt", "w")"""\ns = \'\'\'\nopen("b.txt", "w")\n\'\'\'\nEOF',
    'python3 - <<\'EOF\'\nbase = "src"\nopen(f"{base}/a.txt", "w").write("x")\nEOF',
    'cat > doc.md <<\'EOF\'\npython -c \'open("a.txt","w")\'\nrm -rf src\nEOF',
    "node <<'EOF'\nconst fs = require('fs');\nconst p = 'a.txt';\nfs.writeFileSync(p, fs.readFileSync(p, 'utf8').replace(/one/g, '1'));\nEOF",
    "node --input-type=module <<'EOF'\nimport { writeFileSync as put } from 'node:fs';\nfor (const f of ['a.txt', 'b.txt']) put(f, 'x');\nEOF",
    "node <<'EOF'\nconst fs = require('fs');\n['a.txt', 'b.txt'].forEach((f) => {\n  const out = f + '.bak';\n  fs.copyFileSync(f, out);\n});\nEOF",
  ].map((line) => ({ line, needs: line.includes('node') ? 'node' : 'python3' })),
  ...lines(
    'perl',
    String.raw`
  perl -e 'unlink <*.patch>'
  perl -e 'my @f = <src/*.txt>; unlink @f'
  perl -e 'for my $f (<src/*.txt>) { open(F, ">", $f); print F 1 }'
  perl -e 'while (<STDIN>) { print if $_ < 3 }'
  `,
  ),
  ...lines(
    'node',
    String.raw`
  node -e 'require("fs").writeFileSync("a.txt", "x")'
  node -e 'fs.appendFileSync("a.txt", "x")'
  node -e 'const {unlinkSync, renameSync} = require("fs"); unlinkSync("a.txt"); renameSync("b.txt", "moved.txt")'
  node -e 'require("fs").promises.writeFile("out.txt", "x")'
  node -e 'fs.rmSync("src", {recursive: true})'
  node -e 'fs.mkdirSync("made")'
  node -e 'const path = require("path"); fs.writeFileSync(path.join("src", "a.txt"), "x")'
  node -e 'fs.writeFileSync(process.argv[1], "x")' out.txt
  node -p '"fs.writeFileSync(1)" // fs.unlinkSync("a.txt")'
  node -p 'fs.readFileSync("a.txt", "utf8")'
  node -e 'fs.createWriteStream("out.txt").end("x")'
  node -e 'require("child_process").execSync("touch made.txt")'
  node write.mjs out.txt
  `,
  ),
];
