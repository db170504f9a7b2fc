/** MCP servers that read and write files, known by name: checked without configuration. */
import { describe, expect, it } from 'vitest';
import { expectEnvelope, oneAgent, scratch, working, wrongs } from './driver.ts';

const files = { 'a.txt': 'one\n', 'b.txt': 'one\n', 'src/c.ts': 'c\n' };

/** A tool, and its arguments for a file relative to the repository. */
const WRITERS: readonly (readonly [string, (file: string, root: string) => object])[] = [
  ['mcp__filesystem__write_file', (file, root) => ({ path: `${root}/${file}`, content: 'x' })],
  ['mcp__filesystem__edit_file', (file) => ({ path: file, edits: [] })],
  ['mcp__fs__edit_file', (file, root) => ({ path: `${root}/${file}`, edits: [] })],
  [
    'mcp__filesystem__move_file',
    (file, root) => ({ source: `${root}/${file}`, destination: '/tmp/x-guard' }),
  ],
  [
    'mcp__filesystem__move_file',
    (file, root) => ({ source: '/tmp/x-guard', destination: `${root}/${file}` }),
  ],
  ['mcp__my-filesystem__write_file', (file) => ({ path: `./${file}` })],
  ['mcp__Filesystem__write_file', (file) => ({ path: file })],
  ['mcp__plugin_tools_filesystem__write_file', (file) => ({ path: file })],
  ['mcp__serena__replace_symbol_body', (file) => ({ name_path: 'f', relative_path: file, body: 'x' })],
  ['mcp__serena__insert_after_symbol', (file) => ({ name_path: 'f', relative_path: file, body: 'x' })],
  ['mcp__serena__create_text_file', (file) => ({ relative_path: file, content: 'x' })],
  ['mcp__plugin_serena_serena__replace_content', (file) => ({ relative_path: file, needle: 'a', repl: 'b' })],
  ['mcp__serena__rename_symbol', (file) => ({ name_path: 'f', relative_path: file, new_name: 'g' })],
  ['mcp__jetbrains__replace_text_in_file', (file, root) => ({ pathInProject: file, projectPath: root })],
  ['mcp__idea__create_new_file', (file) => ({ pathInProject: file })],
  ['mcp__webstorm__replace_file_text_by_path', (file) => ({ pathInProject: file, text: 'x' })],
  ['mcp__desktop-commander__write_file', (file, root) => ({ path: `${root}/${file}`, content: 'x' })],
  ['mcp__desktop-commander__edit_block', (file, root) => ({ file_path: `${root}/${file}` })],
  [
    'mcp__text-editor__edit_text_file_contents',
    (file, root) => ({ files: [{ file_path: `${root}/${file}` }] }),
  ],
  ['mcp__morphmcp__edit_file', (file, root) => ({ path: `${root}/${file}` })],
  ['mcp__wcgw__FileWriteOrEdit', (file, root) => ({ file_path: `${root}/${file}` })],
  ['mcp__claude-code__Write', (file, root) => ({ file_path: `${root}/${file}`, content: 'x' })],
  ['mcp__filesystem__write_file', (file, root) => ({ path: `file://${root}/${file}` })],
];

describe('a writer that is known by its name', () => {
  it('is denied without a lock on the file it names, whatever tool it is', () => {
    const { at, agent } = oneAgent({ files });
    for (const [tool, input] of WRITERS) {
      const answer = agent.pre(agent.call(tool, { ...input('a.txt', at.root) }));
      expect([tool, expectEnvelope(answer).error_type, answer.denial?.details.path]).toEqual([
        tool,
        'NOT_LOCKED',
        at.path('a.txt'),
      ]);
    }
  });

  it('passes with one, and what it wrote is recorded', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    const call = agent.call('mcp__filesystem__write_file', { path: at.path('a.txt'), content: 'two\n' });
    const { pre } = agent.run(call, () => at.put('a.txt', 'two\n'));
    expect(pre.exit).toBe(0);
    expect(at.log('write')[0]).toMatchObject({ path: 'a.txt', tool: 'mcp__filesystem__write_file' });
  });

  it('takes relative paths from where the session was started, not from where the agent went', () => {
    const at = scratch({ files });
    const agent = working(at, { cwd: at.path('src'), env: { CLAUDE_PROJECT_DIR: at.root } });
    const answer = agent.pre(agent.call('mcp__serena__replace_content', { relative_path: 'src/c.ts' }));
    expect(answer.denial?.details.path).toBe(at.path('src/c.ts'));
  });

  it('passes for a file of no guarded repository, and for a directory', () => {
    const { at, agent } = oneAgent({ files });
    const pass = (tool: string, input: object) => agent.pre(agent.call(tool, { ...input })).exit;
    expect(pass('mcp__filesystem__write_file', { path: `${at.home}/new.txt` })).toBe(0);
    expect(pass('mcp__filesystem__move_file', { source: at.path('src'), destination: at.path('src') })).toBe(
      0,
    );
    expect(pass('mcp__filesystem__create_directory', { path: at.path('new') })).toBe(0);
  });

  it('gives way to a row of the configuration that names other places', () => {
    const mcp = { writers: [{ tool: 'mcp__serena__replace_content', paths: ['other'] }] };
    const { at, agent } = oneAgent({ files, config: { mcp } });
    const input = { relative_path: 'a.txt', other: at.path('b.txt') };
    const answer = agent.pre(agent.call('mcp__serena__replace_content', input));
    expect(answer.denial?.details.path).toBe(at.path('b.txt'));
  });

  it('is no writer where the user says that it only reads, and stays one where a repository says so', () => {
    const mcp = { readers: [{ tool: 'mcp__filesystem__write_file', paths: ['path'] }] };
    const { at, agent } = oneAgent({ files, config: { mcp } });
    const call = () => agent.pre(agent.call('mcp__filesystem__write_file', { path: at.path('a.txt') }));
    expect(wrongs(call())).toEqual(['NOT_LOCKED']);
    at.put(`${at.home}/.config/guard/config.json`, JSON.stringify({ mcp }));
    expect(call().exit).toBe(0);
  });

  it('is denied when guard is broken, and a tool of another server is not', () => {
    const { at, agent } = oneAgent({ files });
    at.put('guard.config.json', '{');
    const write = agent.pre(agent.call('mcp__filesystem__write_file', { path: at.path('a.txt') }));
    expect(expectEnvelope(write).details['code']).toBe('GUARD_ERR_CONFIG');
    expect(agent.pre(agent.call('mcp__slack__post_message', { channel: 'c', text: 'x' })).exit).toBe(0);
  });
});

describe('a reader that is known by its name', () => {
  it.each([
    ['mcp__filesystem__read_text_file', 'path'],
    ['mcp__serena__read_file', 'relative_path'],
    ['mcp__jetbrains__get_file_text_by_path', 'pathInProject'],
  ])('%s takes the baseline when it shows the text', (tool, argument) => {
    const { at, agent } = oneAgent({ files });
    agent.lock('a.txt');
    agent.post(agent.call(tool, { [argument]: 'a.txt' }), [{ type: 'text', text: 'one\n' }]);
    at.put('a.txt', 'theirs\n');
    expect(wrongs(agent.write('a.txt', 'x').pre)).toEqual(['STALE_FILE']);
  });
});
