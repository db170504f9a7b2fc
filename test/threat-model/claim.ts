/**
 * What one passage of docs/threat-model.md promises. `attempt` is the first cell of a row, letter by letter; `under` is
 * the heading of a section, for its running text. `says` has a phrase from each sentence of the answer: if the document
 * changes, a person has to review the tests.
 */
export type Claim =
  | { readonly attempt: string; readonly says: readonly string[] }
  | { readonly under: string; readonly says: readonly string[] };
