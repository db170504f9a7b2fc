/** `cd`, `pushd` and `popd`. */
import type { Argument } from '../call.ts';
import { absolute } from '../path.ts';
import { withCwd, type World } from '../world.ts';
import type { Builtin } from './builtin.ts';

export const cd: Builtin = ({ call, world, here }) => [
  withCwd(world, destination(operandsOf(call.args)[0], world, here.start.home)),
];

export const pushd: Builtin = ({ call, world, here }) => {
  const [to] = operandsOf(call.args);
  const [top, ...rest] = world.pushed;
  if (to === undefined) {
    return [top === undefined ? world : { ...withCwd(world, top), pushed: [world.cwd, ...rest] }];
  }
  if (to.text?.startsWith('+') === true) return [withCwd(world, null)];
  return [
    { ...withCwd(world, destination(to, world, here.start.home)), pushed: [world.cwd, ...world.pushed] },
  ];
};

export const popd: Builtin = ({ world }) => {
  const [top, ...rest] = world.pushed;
  return [top === undefined ? world : { ...withCwd(world, top), pushed: rest }];
};

const operandsOf = (args: readonly Argument[]): readonly Argument[] =>
  args.filter(({ text }) => text === null || !/^-[LPen@-]+$/.test(text));

function destination(to: Argument | undefined, world: World, home: string): string | null {
  if (to === undefined) return homeOf(world, home);
  if (to.text === null) return null;
  return to.text === '-' ? world.old_cwd : absolute(to.text, world.cwd);
}

function homeOf({ variables }: World, home: string): string | null {
  const value = variables.get('HOME') ?? home;
  return typeof value === 'string' ? value : null;
}
