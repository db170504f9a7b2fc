/** The hook denies a write to a name that leads through a process, whatever the tool; reads are ignored. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectEnvelope, oneAgent } from './driver.ts';
import { hookHere, preHere } from './driver/in-process.ts';

describe.runIf(process.platform === 'linux')('a write to a name that means two files', () => {
  it.each(['Write', 'Edit', 'NotebookEdit', 'mcp__fs__write_file'])('by %s', (tool) => {
    const config = { mcp: { writers: [{ tool: 'mcp__fs__*', paths: ['file_path'] }] } };
    const { at, agent } = oneAgent({ files: { 'p9.txt': 'root\n', 'src/p9.txt': 'src\n' }, config });
    fs.symlinkSync('/proc/self/cwd', at.path('here'));
    agent.lock('src/p9.txt');
    agent.read('src/p9.txt');
    for (const path of ['/proc/self/cwd/p9.txt', at.path('here/p9.txt'), '/dev/fd/0', '/dev/stdout']) {
      const input = { file_path: path, notebook_path: path, content: 'x', old_string: 'a', new_string: 'b' };
      expect(expectEnvelope(preHere(agent, agent.call(tool, input)))).toMatchObject({
        error_type: 'GUARD_ERROR',
        details: { code: 'GUARD_ERR_PATH' },
      });
    }
  });

  it('reading is not judged, and teaches nothing', () => {
    const { at, agent } = oneAgent({ files: { 'p9.txt': 'root\n' } });
    for (const file_path of ['/proc/cpuinfo', '/proc/self/cwd/p9.txt', '/dev/stdin']) {
      const fields = { tool_name: 'Read', tool_input: { file_path }, tool_use_id: 't' };
      for (const event of ['PreToolUse', 'PostToolUse']) {
        const text = JSON.stringify(agent.payload(event, { ...fields, tool_response: { type: 'text' } }));
        expect(hookHere(at, text, agent.env)).toMatchObject({ exit: 0, stdout: '', stderr: '' });
      }
    }
  });
});
