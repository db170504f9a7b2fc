/** PreToolUse of Bash: a redirection to a protected file is denied; other uses of the shell pass. */
import { describe, expect, it } from 'vitest';
import { expectEnvelope, oneAgent, wrongs } from './driver.ts';
import { preHere } from './driver/in-process.ts';

function shell() {
  const { at, agent } = oneAgent({ files: { 'a.txt': 'x', 'src/b.txt': 'x' } });
  const run = (command: string) => preHere(agent, agent.call('Bash', { command }));
  return { at, agent, run, types: (command: string) => wrongs(run(command)) };
}

describe('a redirection that is denied', () => {
  it.each([
    'echo x > .git/config',
    'echo x >> .git/config',
    'printf x > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit',
    'cat > .git/hooks/pre-push <<EOF\nexit 0\nEOF',
    'echo x | tee -a .git/config',
    'echo x | sudo tee /etc/claude-code/managed-settings.json',
    'echo {} > ~/.claude.json',
    'echo {} > "$HOME"/.claude/plugins/installed_plugins.json',
    'echo {} > .git/guard/off.json',
    'echo {} > guard.config.json',
    'echo > .claude/guard-hook.cjs',
    'echo {} > .claude/settings.json',
    'true; (echo x > .git/config)',
    'cd src && echo x > ../.git/config',
    "cd '.git'; echo x > config",
    'for i in 1 2; do echo $i; done > .git/index',
    'cd /tmp && mkdir -p other/.git && cd other && echo x > .git/config',
    'pushd /tmp > /dev/null; echo x > .git/config; popd',
    'rm .git/config',
    'rm -rf .git',
    'mv .git elsewhere',
    'rm -rf .claude',
    "sed -i 's/a/b/' .git/config",
    'cp a.txt .git/hooks/pre-commit',
    'echo x > /dev/shm/other/.git/config',
  ])('%s', (command) => {
    const { at, run } = shell();
    const denial = expectEnvelope(run(command));
    expect(denial.error_type).toBe('PROTECTED_PATH');
    const rejected = at.log('write.rejected');
    // Files outside the repository are recorded in the user's own ledger.
    if (denial.details.path.startsWith(at.root)) expect(rejected.at(-1)).toMatchObject({ tool: 'Bash' });
    else expect(rejected).toEqual([]);
  });

  it('leaves nothing open, and the next command runs', () => {
    const { at, agent, types } = shell();
    expect(types('echo > .git/config')).toEqual(['PROTECTED_PATH']);
    expect(types('echo > out.txt')).toEqual([]);
    agent.lock('a.txt');
    agent.read('a.txt');
    expect(agent.edit('a.txt', 'x', 'y').post?.exit).toBe(0);
    expect(at.log('bypass')).toEqual([]);
  });

  it('not while a person has switched guard off', () => {
    const { at, types } = shell();
    const now = Date.now();
    at.put(
      `${at.state}/off.json`,
      JSON.stringify({ since_wall_ms: now - 1, until_wall_ms: now + 60_000, by: 'x' }),
    );
    expect(types('echo > .git/config')).toEqual([]);
  });
});

describe('an ordinary command', () => {
  it('is not denied', () => {
    const { at, run } = shell();
    at.put('.codex/config.toml', 'model = "x"\n');
    const commands = [
      'npm test 2>&1 | tee test.log',
      'npm test > /dev/null 2>&1',
      'make > /dev/stdout 2> /dev/stderr',
      'echo x > /dev/tty',
      'echo x >/dev/fd/3',
      'diff <(sort a.txt) <(sort src/b.txt) > diff.txt',
      'tar c . | tee >(sha256sum) > out.tar',
      'git config user.name me',
      'git config core.hooksPath .husky',
      'git diff > changes.patch',
      'git log --format="%h > %s"',
      'npx husky init',
      'npm install > install.log',
      'echo node_modules >> .gitignore',
      'echo "*.bin binary" >> .gitattributes',
      'echo tmp >> .git/info/exclude',
      'cat > .github/workflows/ci.yml <<EOF\non: push\nEOF',
      'cat > src/x.ts <<EOF\nconst a = (b) => b > ".git/config";\nEOF',
      'echo model = 1 >> .codex/config.toml',
      'echo {} > .mcp.json',
      'echo {} > .claude/settings.local.json',
      'echo x > "$OUT"',
      'echo x > out-*.txt',
      'echo ">" .git/config',
      'grep -c ">" .git/config',
      'cat .git/config > config-copy.txt',
      'cp .git/config backup.txt > /dev/null',
      'cd "$DIR" && echo x > .git/config',
      'cd /tmp/elsewhere; echo x > notes.txt',
      'echo x > /tmp/guard-test-output.txt',
      'psql -c "select 1 where 2 > 1"',
      'awk "{ if ($1 > 2) print }" a.txt',
      'sed -n "1,5p" .git/config',
      'echo x > proc/self/cwd',
      '[ 2 -gt 1 ] && echo yes > src/guard.txt',
      'ssh host "echo x > .git/config"',
      `node -e ${'"a => b;'.repeat(10_000)}"`,
    ];
    const denied = commands.filter((command) => run(command).exit !== 0);
    expect(denied).toEqual([]);
  });
});
