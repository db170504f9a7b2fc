/** A command line as typed, and what it does. */
export type Example = readonly [line: string, about: string];

/** By the name of the command. */
export type Examples = Readonly<
  Record<string, { readonly examples: readonly Example[]; readonly see_also?: string }>
>;
