/**
 * Lines in the shapes that agents write, for whoever keeps the compiled form of this code: V8's holds only what ran before it was
 * made, and a first line may use little. Without it a hook spends 5 ms more on a line of 1 KB (measured).
 */
export const TYPICAL_LINES: readonly string[] = [
  "cd src && sed -i 's/a/b/' app.ts 2>&1 | tail -5; git status --short | head",
  "cat > notes.md <<'EOF'\n# Notes\nEOF\ncat <<X >> log.txt\n$HOME\nX",
  "python3 - <<'EOF'\nfrom pathlib import Path\nname = 'a.py'\ntext = open(name).read()\nwith open(name, 'w') as f:\n    f.write(text.replace('x', 'y'))\nPath('b').write_text('z')\nEOF",
  "node -e \"const fs=require('fs'); fs.writeFileSync('a.json', JSON.stringify({a: 1}))\"",
  'for f in a.ts b.ts; do cp "$f" "${f%.ts}.js" && echo "$f" >> list; done',
  'if [ -f a ]; then mv a b || exit 1; else touch a; fi; while read -r l; do echo "$l" > "$l.txt"; done < list',
  "find . -name '*.ts' -exec sed -i 's/a/b/' {} + ; ls src | xargs -n1 rm -f > log",
  'export A=1; B=$(date); F=x/$A.txt; mkdir -p x && printf "%s" "$B" > "$F" && tee -a y < z >/dev/null',
  'npm run build > build.log 2>&1 & make test; bash -c "rm -rf dist"; sudo env C=2 timeout 5 chmod +x run.sh',
  'git add -A && git commit -m "x" && git stash push -- a b; npx prettier --write a.ts; tar xzf a.tgz -C out',
];
