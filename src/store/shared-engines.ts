/** The engines that machines share, as folders of store/: a row for each form of their addresses. */
const BY_SCHEME = { postgres: 'postgres', postgresql: 'postgres' } as const;

export type SharedEngine = (typeof BY_SCHEME)[keyof typeof BY_SCHEME];

const isKnown = (scheme: string): scheme is keyof typeof BY_SCHEME => Object.hasOwn(BY_SCHEME, scheme);

/** An address of none goes to PostgreSQL, which says what is wrong with it. */
export function sharedEngine(url: string): SharedEngine {
  const [scheme = ''] = url.split(':');
  return isKnown(scheme) ? BY_SCHEME[scheme] : 'postgres';
}
