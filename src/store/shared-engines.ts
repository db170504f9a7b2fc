/** The shared engines, named like their folders in store/: one row for each scheme of their addresses. */
const BY_SCHEME = { postgres: 'postgres', postgresql: 'postgres' } as const;

export type SharedEngine = (typeof BY_SCHEME)[keyof typeof BY_SCHEME];

const isKnown = (scheme: string): scheme is keyof typeof BY_SCHEME => Object.hasOwn(BY_SCHEME, scheme);

/** Unknown schemes go to PostgreSQL, which reports what is wrong with the address. */
export function sharedEngine(url: string): SharedEngine {
  const [scheme = ''] = url.split(':');
  return isKnown(scheme) ? BY_SCHEME[scheme] : 'postgres';
}
