/**
 * The part of the page's address after `#`, which browsers send nowhere: the key of a new tab, the moment to show, or both.
 * `#<key>`, `#lsn=1234`, `#<key>&lsn=1234`
 */
export interface PageAddress {
  readonly key: string | null;
  readonly lsn: number | null;
}

/** 32 bytes in base64url. Any other word is a place on the page. */
const KEY = /^[\w-]{43}$/;
const LSN = /^lsn=(\d{1,15})$/;

export function addressIn(hash: string): PageAddress {
  const parts = hash.replace(/^#/, '').split('&');
  const lsn = parts.map((part) => LSN.exec(part)?.[1]).find((found) => found !== undefined);
  return { key: parts.find((part) => KEY.test(part)) ?? null, lsn: lsn === undefined ? null : Number(lsn) };
}

export const momentHash = (lsn: number): string => `#lsn=${lsn}`;
