/** `guard completion bash|zsh|fish|powershell`: a script for the shell, generated from the command definitions. */
import { Argument, type Command } from 'commander';
import { act } from '../act.ts';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { powershellScript } from '../completion/powershell.ts';
import { type CompletedRow, completionPlaces } from '../completion/tree.ts';
import { zshScript } from '../completion/zsh.ts';
import { EXIT } from '../exit.ts';
import type { Shell } from '../shell.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript };
type ShellName = keyof typeof SCRIPTS;

export function define(command: Command, shell: Shell, commands: readonly CompletedRow[]): void {
  const shells = Object.keys(SCRIPTS);
  command.addArgument(new Argument('<shell>', shells.join(', ')).choices(shells));
  act(command, shell, async ({ args }) => {
    shell.out(SCRIPTS[args[0] as ShellName](await completionPlaces(commands, shell)));
    return EXIT.yes;
  });
}
