import type { ComponentChildren } from 'preact';

/** Moves the focus past what comes before. The address keeps the moment that it contains. */
export const SkipLink = ({
  to,
  children,
}: {
  /** The id of an element that takes the focus. */
  readonly to: string;
  readonly children: ComponentChildren;
}) => (
  <a
    class="skip"
    href={`#${to}`}
    onClick={(event) => {
      event.preventDefault();
      document.getElementById(to)?.focus();
    }}
  >
    {children}
  </a>
);
