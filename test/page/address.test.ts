import { describe, expect, it } from 'vitest';
import { addressIn, momentHash } from '../../src/page/address.ts';

const KEY = 'Ab-_'.repeat(10).concat('xyz');

describe('the address of the page', () => {
  it('has the key of a new tab, a moment, both, or neither', () => {
    expect(addressIn('')).toEqual({ key: null, lsn: null });
    expect(addressIn(`#${KEY}`)).toEqual({ key: KEY, lsn: null });
    expect(addressIn(momentHash(1234))).toEqual({ key: null, lsn: 1234 });
    for (const both of [`#${KEY}&lsn=7`, `#lsn=7&${KEY}`])
      expect(addressIn(both)).toEqual({ key: KEY, lsn: 7 });
  });

  it('takes no place on the page for a key, and nothing but a number for a moment', () => {
    for (const other of ['#waits', `#${KEY}x`, '#lsn=', '#lsn=-1', '#lsn=1e9', '#lsn=99999999999999999999'])
      expect(addressIn(other), other).toEqual({ key: null, lsn: null });
  });
});
