/** Leads to the moment of a record: by mouse, by keyboard, or copied as an address. */
import type { ComponentChildren } from 'preact';
import { momentHash } from './address.ts';

export const MomentLink = ({
  lsn,
  children,
}: {
  readonly lsn: number;
  readonly children: ComponentChildren;
}) => (
  <a class="to-moment" href={momentHash(lsn)} data-lsn={lsn} title={`Show this moment (lsn ${lsn})`}>
    {children}
  </a>
);
