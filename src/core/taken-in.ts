/** The checkout in which a lease that counts in others too was taken. */
export interface TakenIn {
  /** If it counts in all checkouts, the one it was taken in: a linked worktree, or '' for the main one. */
  readonly at?: string;
  /** It is on a path of the repository that machines share, and was taken in this machine's main checkout. */
  readonly clone?: string;
}

/** `undefined`: in its own checkout, the only one in which it counts. */
export const takenIn = ({ at, clone }: TakenIn): string | undefined => at ?? clone;

/** As reported to people and programs. */
export function takenThere(hold: TakenIn): { readonly checkout?: string } {
  const checkout = takenIn(hold);
  return checkout === undefined ? {} : { checkout };
}
