/** A command as its file declares it, on record: no text of it, only what reading a plain command line takes. */
import type { Declaring } from '../declaring.ts';
import { optionName } from '../option-fields.ts';

export interface QuickOption {
  /** As in the options that a command's body gets. */
  readonly name: string;
  readonly has_value: boolean;
  readonly is_required: boolean;
  readonly read?: (value: string, before: never) => unknown;
}

export interface QuickForm {
  readonly commands: ReadonlyMap<string, QuickForm>;
  /** By flag, dashes included. */
  readonly options: ReadonlyMap<string, QuickOption>;
  readonly min_operands: number;
  readonly max_operands: number;
  /** Null: only its sub-commands do something. */
  readonly body: (() => Promise<void>) | null;
  /** What `body` will find. */
  given: QuickGiven;
  /** It uses more than plain command lines need. */
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
  min_operands = 0;
  max_operands = 0;
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
    if (name.startsWith('<')) this.min_operands += 1;
    this.max_operands += name.includes('...') ? Infinity : 1;
    return this;
  }

  option(flags: string, _about: string, read?: QuickOption['read']): this {
    return this.#add(flags, { is_required: false, ...(read && { read }) });
  }

  requiredOption(flags: string): this {
    return this.#add(flags, { is_required: true });
  }

  action(body: () => Promise<void>): this {
    this.body = body;
    return this;
  }

  get args(): readonly string[] {
    return this.given.args;
  }

  optsWithGlobals(): object {
    return this.given.options;
  }

  #add(flags: string, how: Pick<QuickOption, 'is_required' | 'read'>): this {
    const [, name, value] = FLAG.exec(flags) ?? [];
    if (name === undefined || name.startsWith('no-')) this.is_plain = false;
    else
      this.options.set(`--${name}`, {
        name: optionName(`--${name}`),
        has_value: value !== undefined,
        ...how,
      });
    return this;
  }
}
