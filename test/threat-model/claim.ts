/**
 * What docs/threat-model.md says in one place. `attempt` is the first cell of a row, letter by letter; `under` the heading
 * of a section for its running text. `says` has a phrase of each sentence of the answer: where the document says something
 * else, somebody has to look at the tests.
 */
export type Claim =
  | { readonly attempt: string; readonly says: readonly string[] }
  | { readonly under: string; readonly says: readonly string[] };
