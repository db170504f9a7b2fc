/**
 * Lines in the shapes that agents write, for whoever keeps the compiled form of this code: V8's holds only what ran before it was
 * made, and a first line may use little. Without it a hook spends 5 ms more on a line of 1 KB (measured). Every line pays for what
 * is in it, some 15 µs for each KB, so what one line in fifty has (`while`, `if`, `find -exec`, `xargs`, `bash -c`) is left out.
 */
export const TYPICAL_LINES: readonly string[] = [
  "cd src && sed -i 's/a/b/' app.ts 2>&1 | tail -5; git status --short | head",
  "cat > notes.md <<'EOF'\n# Notes\nEOF\ncat <<X >> log.txt\n$HOME\nX",
  "python3 - <<'EOF'\nfrom pathlib import Path\nname = 'a.py'\ntext = open(name).read()\nwith open(name, 'w') as f:\n    f.write(text.replace('x', 'y'))\nPath('b').write_text('z')\nEOF",
  "node -e \"const fs=require('fs'); fs.writeFileSync('a.json', JSON.stringify({a: 1}))\"",
  'mkdir -p x && cp a b && mv c d; rm -f e "$HOME/x"; npm run build > build.log 2>&1',
  'git add -A && git commit -m "x"; npx prettier --write a.ts',
];
