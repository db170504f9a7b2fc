/** A directory with a thousand names is rewritten in parts of sixty. */
const BUCKETS = 16;

/** Which part of its directory's names a name is in. */
export function namesBucket(name: string): number {
  let sum = 0;
  for (let at = 0; at < name.length; at++) sum = (sum * 31 + name.charCodeAt(at)) % 65_521;
  return sum % BUCKETS;
}
