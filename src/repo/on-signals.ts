/**
 * Calls `heard` for these signals, instead of ending the process.
 * @param how with `once`, a second signal of the same name ends the process as usual
 * @returns a function that removes the handlers
 */
export function onSignals(
  names: readonly NodeJS.Signals[],
  heard: (name: NodeJS.Signals) => void,
  how: 'on' | 'once' = 'on',
): () => void {
  for (const name of names) process[how](name, heard);
  return () => {
    for (const name of names) process.off(name, heard);
  };
}
