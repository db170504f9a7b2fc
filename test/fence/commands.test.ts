/** Commands in a session that began with guard: files held by others are read-only for them, however they write. */
import fs from 'node:fs';
import { expect, it } from 'vitest';
import { scratch, working } from '../claude/driver.ts';
import { Fenced, hidden, until } from './client.ts';
import { describeFenced, hasProgram } from './machine.ts';

const FILES = { 'a.txt': 'one\n', 'free.txt': 'free\n', 'src/b.txt': 'b\n' };

/** Another session holds a.txt. */
function held(files: Record<string, string> = FILES, names: readonly string[] = ['a.txt']) {
  const at = scratch({ files });
  at.git('add', '-A');
  at.git('-c', 'user.name=a', '-c', 'user.email=a@example.invalid', 'commit', '-qm', 'i');
  const [holder, other] = [new Fenced(at), new Fenced(at)];
  holder.session.lock(...names);
  return { at, holder, other };
}

const WAYS = {
  redirection: 'echo x > a.txt',
  append: 'echo x >> a.txt',
  'sed -i': 'sed -i s/one/x/ a.txt',
  'perl -pi': 'perl -pi -e s/one/x/ a.txt',
  python: `python3 -c 'open("a.txt","w").write("x")'`,
  node: `node -e 'fs.writeFileSync("a.txt","x")'`,
  'mv onto it': 'mv free.txt a.txt',
  'mv away': 'mv a.txt c.txt',
  cp: 'cp free.txt a.txt',
  rm: 'rm -f a.txt',
  'ln -sf': 'ln -sf free.txt a.txt',
  truncate: 'truncate -s0 a.txt',
  'git checkout': 'git checkout -- .',
  'a script of its own': `echo 'echo x > a.txt' > s.sh; sh s.sh`,
  'text decoded and run': 'echo ZWNobyB4ID4gYS50eHQK | base64 -d | sh',
  'in a user namespace of its own': `unshare -Urm sh -c 'umount a.txt; echo x > a.txt'`,
};

describeFenced('a command', () => {
  for (const [name, command] of Object.entries(WAYS)) {
    const [program = ''] = command.split(' ');
    it.skipIf(!hasProgram(program))(`cannot write a file that another agent holds: ${name}`, () => {
      const { at, other } = held();
      // Not committed: what git would restore.
      at.put('a.txt', 'one and more\n');
      other.bash(command);
      expect(at.read('a.txt')).toBe('one and more\n');
      expect(fs.lstatSync(at.path('a.txt')).isFile()).toBe(true);
    });
  }

  it('writes everything else as usual, and the holder writes its own file', () => {
    const { at, holder, other } = held();
    const ran = other.bash('echo x > free.txt && echo y > new.txt && sed -i s/b/z/ src/b.txt && cat a.txt');
    expect([ran.exit, ran.stdout, ran.notes]).toEqual([0, 'one\n', '']);
    expect([at.read('free.txt'), at.read('new.txt'), at.read('src/b.txt')]).toEqual(['x\n', 'y\n', 'z\n']);
    expect(holder.bash('sed -i s/one/two/ a.txt').exit).toBe(0);
    expect(at.read('a.txt')).toBe('two\n');
  });

  it('reports who holds the file, and what to do', () => {
    const { at, holder, other } = held();
    const failed = other.bash('echo x > a.txt');
    expect(failed.exit).not.toBe(0);
    expect(failed.notes).toContain(holder.session.name);
    expect(failed.notes).toContain(`lock wait ${at.path('a.txt')}`);
    // A refused write in the middle of a command that succeeds is also reported.
    expect(other.bash('python3 -c "open(\\"a.txt\\",\\"w\\")" ; true').notes).toContain(at.path('a.txt'));
    expect(other.bash('ls /nowhere; echo "Read-only file system"').notes).toBe('');
  });

  it('may write files that were released, and files that it was granted', () => {
    const { at, holder, other } = held();
    holder.session.guard('lock', 'release', at.path('a.txt'));
    expect(other.bash('echo x > a.txt').exit).toBe(0);
    other.session.lock('a.txt');
    expect(other.bash('echo y > a.txt').exit).toBe(0);
    expect(holder.bash('echo z > a.txt').exit).not.toBe(0);
    expect(at.read('a.txt')).toBe('y\n');
  });

  it('keeps exit codes, signals, standard streams, directories and the process id', () => {
    const { at, other } = held();
    const ran = other.bash('cd src && echo $$ $PPID $GUARD_FENCED; echo to-err >&2; exit 7');
    expect([ran.exit, ran.stderr]).toEqual([7, 'to-err\n']);
    const [own, parent, fenced] = ran.stdout.trim().split(' ');
    // The parent is the same as without a fence.
    expect([parent, fenced]).toEqual([at.shell('echo $PPID', at.env).stdout.trim(), own]);
    const killed = other.bash('kill -TERM $$; sleep 5');
    expect(killed.exit).toBe(null);
    const last = fs.readdirSync(at.home).filter((name) => name.startsWith('cwd-'));
    other.bash('cd src');
    const [made = ''] = fs
      .readdirSync(at.home)
      .filter((name) => name.startsWith('cwd-') && !last.includes(name));
    expect(fs.readFileSync(`${at.home}/${made}`, 'utf8')).toBe(`${at.path('src')}\n`);
  });

  it('calls guard, which reaches its state', () => {
    const { at, other } = held();
    const guard = `'${process.execPath}' '${process.cwd()}/bin/guard.cjs'`;
    const ran = other.bash(`${guard} lock try free.txt && ${guard} lock status a.txt`);
    expect(ran.stderr).toBe('');
    expect(at.log('hold').at(-1)).toMatchObject({ agent: other.session.name });
  });

  it('starts without a fence if no one else holds anything', () => {
    const { at, holder } = held();
    expect(holder.bash('echo "[$GUARD_FENCED]"').stdout).toBe('[]\n');
    holder.session.guard('lock', 'release', at.path('a.txt'));
    expect(holder.bash('echo "[$GUARD_FENCED]"').stdout).toBe('[]\n');
  });

  it('copes with odd file names', () => {
    const names = [
      'with space.txt',
      `qu'o"te.txt`,
      'new\nline.txt',
      'tab\tname.txt',
      'back\\nslash.txt',
      'ünï.txt',
      '$(x).txt',
    ];
    const { at, other } = held(Object.fromEntries(names.map((name) => [name, 'one\n'])), names);
    const ran = other.bash(
      `node -e 'for (const name of ${JSON.stringify(names).replaceAll("'", '\\u0027')}) { try { fs.writeFileSync(name, "x"); console.log(name) } catch (e) { if (e.code !== "EROFS") console.log(e.code) } }'`,
    );
    expect([ran.exit, ran.stdout, ran.stderr]).toEqual([0, '', '']);
    for (const name of names) expect(at.read(name)).toBe('one\n');
  });
});

describeFenced('two subagents and their session', () => {
  it('that run the same command at the same time are each refused the files of the others', async () => {
    const at = scratch({ files: { 'm.txt': '', '1.txt': '', '2.txt': '', 'other.txt': '' } });
    const [main, stranger] = [new Fenced(at), new Fenced(at)];
    const [one, two] = [main.subagent('s1'), main.subagent('s2')];
    main.session.lock('m.txt');
    one.session.lock('1.txt');
    two.session.lock('2.txt');
    stranger.session.lock('other.txt');
    const command = 'for f in m 1 2 other; do (echo x > $f.txt) 2>/dev/null && echo $f; done; true';
    const ran = await Promise.all([main, one, two, stranger].map((agent) => agent.run(command).done));
    expect(ran.map(({ stdout }) => stdout)).toEqual(['m\n', '1\n', '2\n', 'other\n']);
  });

  it('whose mark was lost may write the files of its session, and nothing else', () => {
    const at = scratch({ files: { 'm.txt': '', '1.txt': '', 'other.txt': '' } });
    const [main, stranger] = [new Fenced(at), new Fenced(at)];
    const one = main.subagent('s1');
    main.session.lock('m.txt');
    one.session.lock('1.txt');
    stranger.session.lock('other.txt');
    const command = 'for f in m 1 other; do (echo x > $f.txt) 2>/dev/null && echo $f; done; true';
    const { text } = one.script(hidden(command));
    const bare = text.replace(/\n# guard:[^']*/, '');
    expect(bare).not.toBe(text);
    expect(at.shell(bare, { CLAUDECODE: '1', ...one.session.env }).stdout).toBe('m\n1\n');
    // A mark that an agent writes itself cannot name an agent of another session.
    const forged = bare.replace("' < /dev/null", `\n# guard:${stranger.session.name} 00000000' < /dev/null`);
    expect(at.shell(forged, { CLAUDECODE: '1', ...one.session.env }).stdout).toBe('m\n1\n');
  });
});

describeFenced('guard in a subagent, without a shell above it', () => {
  const call = `exec '${process.execPath}' '${process.cwd()}/bin/guard.cjs' lock try`;

  it('identifies its agent by the inherited mark, and believes none without its seal', () => {
    const at = scratch({ files: { 'a.txt': '', 'b.txt': '' } });
    const main = new Fenced(at);
    const sub = main.subagent('s1');
    expect(sub.bash(`${call} a.txt`).exit).toBe(0);
    expect(at.log('hold').at(-1)).toMatchObject({ agent: sub.session.name });
    for (const name of ['main', 's1', 's2'])
      expect(sub.bash(`export GUARD_MARK='${name} 00000000'; ${call} b.txt`).stderr).toContain(
        'GUARD_ERR_SPEAKER',
      );
  });
});

describeFenced('a client that an agent starts in a command', () => {
  it('may write files that it locks itself, inside the outer fence', async () => {
    const at = scratch({ files: { 'a.txt': '', 'b.txt': 'b\n' } });
    const [holder, other] = [new Fenced(at), new Fenced(at)];
    holder.session.lock('a.txt');
    // To the kernel this is the inner client: a process inside the fence that writes on demand.
    const running = other.run(
      "sh -c 'echo $$ > inner; while [ ! -e go ]; do sleep 0.05; done; echo mine > b.txt && echo wrote || echo refused'",
    );
    await until(() => fs.existsSync(at.path('inner')) && at.read('inner') !== '', 'the inner client runs');
    const inner = working(at, { pid: Number(at.read('inner')) });
    inner.lock('b.txt');
    await new Promise((resolve) => setTimeout(resolve, 500));
    at.put('go', '');
    expect((await running.done).stdout).toBe('wrote\n');
    expect(holder.bash('echo x > b.txt').exit).not.toBe(0);
  });
});

describeFenced('while a command runs', () => {
  const LOOP =
    'while [ ! -e stop ]; do for f in a b; do (echo w > $f.txt) 2>/dev/null && echo "$f w" || echo "$f -"; done > st.tmp; mv st.tmp st; sleep 0.05; done';
  const files = { 'a.txt': 'one\n', 'b.txt': 'b\n' };

  function looping() {
    const scene = held(files);
    const running = scene.other.run(LOOP);
    const now = (file: string): string => {
      try {
        return new RegExp(`^${file} (.)`, 'm').exec(scene.at.read('st'))?.[1] ?? '';
      } catch {
        return '';
      }
    };
    return { ...scene, running, now };
  }

  it('a lease that is taken fences the file, one that is released frees it', async () => {
    const { at, holder, running, now } = looping();
    await until(() => now('a') === '-' && now('b') === 'w', 'a is fenced');
    holder.session.lock('b.txt');
    await until(() => now('b') === '-', 'b is fenced, too');
    holder.session.guard('lock', 'release', at.path('a.txt'));
    await until(() => now('a') === 'w', 'a is free');
    holder.session.stopped();
    // The end of a turn is noticed at the next command of any agent.
    new Fenced(at).bash('true');
    await until(() => now('b') === 'w', 'b is free');
    at.put('stop', '');
    await running.done;
  });

  it('a save by rename removes the fence, and the hook after it restores it', async () => {
    const { at, holder, running, now } = looping();
    await until(() => now('a') === '-', 'a is fenced');
    holder.session.read('a.txt');
    const save = (): void => {
      fs.writeFileSync(at.path('.tmp'), 'saved\n');
      fs.renameSync(at.path('.tmp'), at.path('a.txt'));
    };
    // Doesn't run the tool itself, which would find what the loop wrote in between.
    const call = holder.session.call('Write', { file_path: at.path('a.txt'), content: 'saved\n' });
    expect(holder.session.pre(call).exit).toBe(0);
    save();
    await until(() => now('a') === 'w', 'a is not fenced any more');
    holder.session.post(call, { type: 'update', filePath: at.path('a.txt'), content: 'saved\n' });
    await until(() => now('a') === '-', 'a is fenced again');
    const text = at.read('a.txt');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([now('a'), at.read('a.txt')]).toEqual(['-', text]);
    // The same if the client reports that its write was spoiled.
    save();
    await until(() => now('a') === 'w', 'a is not fenced any more');
    holder.session.failed(
      holder.session.call('Edit', { file_path: at.path('a.txt') }),
      'Write verification failed',
    );
    await until(() => now('a') === '-', 'a is fenced once more');
    at.put('stop', '');
    await running.done;
  });

  it('a session that begins with the fence switched off removes it', async () => {
    const { at, now } = looping();
    await until(() => now('a') === '-', 'a is fenced');
    at.put('../home/.config/guard/config.json', '{"fence":"off"}');
    new Fenced(at);
    await until(() => now('a') === 'w', 'a is free');
  });

  it('a background process is still fenced long after the command has ended', async () => {
    const { at, holder, other } = held(files);
    await other.run(`(${LOOP}) > /dev/null 2>&1 & disown`).done;
    const now = (file: string) =>
      fs.existsSync(at.path('st')) ? new RegExp(`^${file} (.)`, 'm').exec(at.read('st'))?.[1] : '';
    await until(() => now('b') === 'w', 'b is free');
    holder.session.lock('b.txt');
    await until(() => now('b') === '-', 'b is fenced');
    at.put('stop', '');
    await until(() => !fs.existsSync(at.path('st.tmp')), 'it ends');
  });
});
