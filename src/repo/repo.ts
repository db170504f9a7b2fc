/** Which repository a file belongs to, and where its ledger is (found by locate.ts). */
export interface Repo {
  readonly kind: 'git' | 'plain' | 'outside';
  /** Root of the checkout the file is in (main checkout, linked worktree, directory with `.guard`); canonical. */
  readonly root: string;
  /** Where the ledger is, or where `guard init` would put it. */
  readonly state_dir: string;
  /** There is a state directory, or this user's mark says that there was one. known/belief.ts decides whether it is trusted. */
  readonly initialised: boolean;
  readonly common_dir: string | null;
  /** This checkout's name in the ledger: of a linked worktree or a named clone; null: the ledger's own main checkout, or no git. */
  readonly worktree: string | null;
  /** The name, in a ledger shared by machines, of the clone that owns it here: `~@host.app-3f2a91b07c`. */
  readonly clone?: string;
  /** Set if the ledger is another clone's: then `state_dir` is there. */
  readonly joined?: Joined;
}

/** The result of `guard init --join` (joined.ts). */
export interface Joined {
  /** `~app-3f2a91`: the main checkout of this clone; a linked worktree of it is `~app-3f2a91~wt`. */
  readonly id: string;
  /** The clone's own state directory: what was installed here, and the state before it joined. */
  readonly own_dir: string;
  /** The git directory of the clone that owns the ledger. */
  readonly holder: string;
  /** The name of that clone's main checkout, if machines share the ledger. */
  readonly among?: string;
  /** Why the ledger cannot be used. */
  readonly fault?: JoinFault;
}

/** `gone`: the ledger no longer exists; `left`: it does not know this clone; `moved`: it knows it elsewhere; `damaged`. */
export type JoinFault = 'gone' | 'left' | 'moved' | 'damaged';
