/**
 * `heard` is called for these signals, instead of the end of the process.
 * @param how `once`: the second of the same name ends the process as it would without this
 * @returns ends it, and leaves no handler behind
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
