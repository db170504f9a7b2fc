/**
 * Lines in the forms that agents write, for storing the compiled form of this code: V8 includes only code that has run before, and a
 * first line may use little of it. Without this a hook spends 5 ms more on a line of 1 KB (measured). Every line pays for the code
 * included, some 15 µs per KB, so forms found in one line of fifty (`while`, `if`, `find -exec`, `xargs`, `bash -c`) are left out.
 */
export const TYPICAL_LINES: readonly string[] = [
  "cd src && sed -i 's/a/b/' app.ts 2>&1 | tail -5; git status --short | head",
  "cat > notes.md <<'EOF'\n# Notes\nEOF\ncat <<X >> log.txt\n$HOME\nX",
  "python3 - <<'EOF'\nfrom pathlib import Path\nname = 'a.py'\ntext = open(name).read()\nwith open(name, 'w') as f:\n    f.write(text.replace('x', 'y'))\nPath('b').write_text('z')\nEOF",
  "node -e \"const fs=require('fs'); fs.writeFileSync('a.json', JSON.stringify({a: 1}))\"",
  'mkdir -p x && cp a b && mv c d; rm -f e "$HOME/x"; npm run build > build.log 2>&1',
  'git add -A && git commit -m "x"; npx prettier --write a.ts',
];
