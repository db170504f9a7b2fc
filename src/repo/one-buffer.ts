/** One part, as most texts have, is neither copied nor joined by code that a cold process would first have to compile. */
export function oneBuffer(parts: readonly Buffer[]): Buffer {
  const [one] = parts;
  return one !== undefined && parts.length === 1 ? one : Buffer.concat(parts);
}
