/** What an agent does, in a few words: what is closest to the disk comes first. */
import type { ComponentChildren } from 'preact';
import { age } from '../core/time.ts';
import { PathWords } from './path-words.tsx';
import type { People } from './people.ts';
import type { ShownAgent, ShownScene } from './wire.ts';
import { shortPath } from './words.ts';

interface Around {
  readonly people: People;
  readonly now_ms: number;
}

const PATH_CHARS = 44;
const Short = ({ path }: { readonly path: string }) => <PathWords path={shortPath(path, PATH_CHARS)} />;

export function doingWords(
  { agent, writing, at_work, drafted }: ShownAgent,
  { waits, commands }: ShownScene,
  { people, now_ms }: Around,
): ComponentChildren {
  const lasted = (since: string): string => age(Math.max(0, now_ms - Date.parse(since)));
  const wait = waits.find(({ from, kind }) => from === agent && kind === 'wait');
  const refused = waits.find(({ from, kind, path }) => from === agent && kind === 'wanted' && path !== '');
  const command = commands.find((one) => one.agent === agent);
  const [call] = at_work;
  if (writing.length > 0)
    return ['writes ', ...writing.map((path, nth) => [nth > 0 && ', ', <Short key={path} path={path} />])];
  if (wait !== undefined)
    return [
      `waits ${wait.since === null ? '' : `${lasted(wait.since)} `}for ${people.nameOf(wait.to)}`,
      wait.path !== '' && [': ', <Short key="path" path={wait.path} />],
    ];
  if (command !== undefined) return `in a command for ${lasted(command.since)}`;
  if (call !== undefined) return `in ${call.tool} for ${lasted(call.since)}`;
  if (drafted !== null) return `${drafted.role}: ${drafted.doing ?? drafted.task}`;
  return refused === undefined ? '' : ['was refused ', <Short key="path" path={refused.path} />];
}
