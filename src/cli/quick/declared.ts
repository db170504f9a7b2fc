/** Records how a command's file declares it: no texts, only what is needed to read a plain command line. */
import type { Declaring } from '../declaring.ts';
import { optionName } from '../option-fields.ts';

export interface QuickOption {
  /** The name in the options that a command's body gets. */
  readonly name: string;
  readonly has_value: boolean;
  readonly read?: (value: string, before: never) => unknown;
}

export interface QuickForm {
  readonly commands: ReadonlyMap<string, QuickForm>;
  /** By flag, including dashes. */
  readonly options: ReadonlyMap<string, QuickOption>;
  readonly min_operands: number;
  readonly max_operands: number;
  /** `null` if only its subcommands do something. */
  readonly body: (() => Promise<void>) | null;
  /** What `body` will read. */
  given: QuickGiven;
  /** False if it uses more than plain command lines need. */
  readonly is_plain: boolean;
}

export interface QuickGiven {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

const FLAG = /^--([a-z]+(?:-[a-z]+)*)( <[^>]+>)?$/;

export class QuickCommand implements Declaring, QuickForm {
  readonly commands = new Map<string, QuickCommand>();
  readonly options = new Map<string, QuickOption>();
  max_operands = 0;
  readonly registeredArguments: { required: boolean }[] = [];
  body: (() => Promise<void>) | null = null;
  given: QuickGiven = { args: [], options: {} };
  is_plain = true;

  command(name: string): QuickCommand {
    const sub = new QuickCommand();
    this.commands.set(name, sub);
    return sub;
  }

  description(): this {
    return this;
  }

  argument(name: string): this {
    this.registeredArguments.push({ required: name.startsWith('<') });
    this.max_operands += name.includes('...') ? Infinity : 1;
    return this;
  }

  option(flags: string, _about: string, read?: QuickOption['read']): this {
    return this.#add(flags, read);
  }

  usage(): string;
  usage(text: string): this;
  usage(text?: string): this | string {
    return text === undefined ? '' : this;
  }

  action(body: () => Promise<void>): this {
    this.body = body;
    return this;
  }

  get min_operands(): number {
    return this.registeredArguments.filter(({ required }) => required).length;
  }

  get args(): readonly string[] {
    return this.given.args;
  }

  optsWithGlobals(): object {
    return this.given.options;
  }

  #add(flags: string, read: QuickOption['read']): this {
    const [, name, value] = FLAG.exec(flags) ?? [];
    if (name === undefined || name.startsWith('no-')) this.is_plain = false;
    else
      this.options.set(`--${name}`, {
        name: optionName(`--${name}`),
        has_value: value !== undefined,
        ...(read && { read }),
      });
    return this;
  }
}
