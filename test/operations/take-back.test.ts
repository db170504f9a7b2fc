import { describe, expect, it } from 'vitest';
import { outsider } from '../../src/cli/caller.ts';
import { workspaceAround } from '../../src/cli/workspace.ts';
import { TAKE_BACK } from '../../src/operations/take-back.ts';
import { scratch } from '../claude/driver.ts';
import { directly, shellAt } from './faces.ts';

const PERSON = { is_in_claude: false, is_in_host: false, is_terminal: true };

const taken = async (seat: Partial<typeof PERSON>, input: Readonly<Record<string, unknown>>) => {
  const at = scratch();
  at.guard('lock', 'try', 'a', '--agent', 'holder');
  const space = workspaceAround(shellAt(at));
  const who = outsider('ann@host:pts-1');
  const said = await directly(TAKE_BACK, input, () => ({ ...space, who, seat: { ...PERSON, ...seat } }));
  space.close();
  return { said, holder: at.guard('lock', 'try', 'a', '--agent', 'other').exit };
};

describe('a lock', () => {
  it('is taken back by a person at a terminal, and is free then', async () => {
    expect(await taken({}, { of: 'holder', paths: ['a'] })).toEqual({
      said: { answer: { taken: ['a'], writing: [] } },
      holder: 0,
    });
  });

  it.each([{ is_in_claude: true }, { is_in_host: true }, { is_terminal: false }])(
    'stays where it is for %j',
    async (seat) => {
      expect(await taken(seat, { of: 'holder', paths: ['a'] })).toMatchObject({
        said: { code: 'GUARD_ERR_SPEAKER' },
        holder: 1,
      });
    },
  );

  it.each([
    [{ of: 'holder', paths: [] }, 'paths'],
    [{ paths: ['a'] }, 'of'],
    [{ of: 'holder', paths: 'a' }, 'paths'],
  ])('asked for as %j is refused', async (input, field) => {
    expect(await taken({}, input)).toMatchObject({ said: { code: 'GUARD_ERR_USAGE', field }, holder: 1 });
  });
});
