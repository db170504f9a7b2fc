/** In which checkout a lease was taken that counts in others, too. */
export interface TakenIn {
  /** It counts in all checkouts, and was taken in this one: a linked worktree, or '' for the main one. Absent: it counts in its own. */
  readonly at?: string;
  /** It is on a path of the repository that machines share, and was taken in this machine's main checkout. */
  readonly clone?: string;
}

/** Undefined: in its own, where alone it counts. */
export const takenIn = ({ at, clone }: TakenIn): string | undefined => at ?? clone;

/** As it is reported. */
export function takenThere(hold: TakenIn): { readonly checkout?: string } {
  const checkout = takenIn(hold);
  return checkout === undefined ? {} : { checkout };
}
