/** Which repository a file belongs to, and where its ledger is (locate.ts finds it). */
export interface Repo {
  readonly kind: 'git' | 'plain' | 'outside';
  /** Root of the checkout the file is in (main checkout, linked worktree, directory with `.guard`); canonical. */
  readonly root: string;
  /** Where the ledger is, or where `guard init` would put it. */
  readonly state_dir: string;
  /** A state directory is there, or this user's mark says that there was one. Whether it is believed: known/belief.ts. */
  readonly initialised: boolean;
  readonly common_dir: string | null;
  /** What the ledger calls this checkout: the id of a linked worktree, or of a clone that has a name; null: the ledger's own main checkout, or no git. */
  readonly worktree: string | null;
  /** What the ledger calls the clone whose own ledger it is, where machines share it: `~@host.app-3f2a91b07c`. */
  readonly clone?: string;
  /** The ledger is that of another clone: then `state_dir` is there. */
  readonly joined?: Joined;
}

/** As `guard init --join` left it (joined.ts). */
export interface Joined {
  /** `~app-3f2a91`: the main checkout of this clone; a linked worktree of it is `~app-3f2a91~wt`. */
  readonly id: string;
  /** The clone's own state directory: what was installed here, and how it was before. */
  readonly own_dir: string;
  /** The git directory of the clone whose ledger it is. */
  readonly holder: string;
  /** What the ledger calls the main checkout of that clone, where machines share it. */
  readonly among?: string;
  /** Why it cannot be used. */
  readonly fault?: JoinFault;
}

/** `gone`: there is no ledger any more; `left`: it does not know this clone; `moved`: it knows it elsewhere; `damaged`. */
export type JoinFault = 'gone' | 'left' | 'moved' | 'damaged';
