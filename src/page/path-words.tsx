/** A path that is wrapped only where a directory ends. */
import { Fragment } from 'preact';

export const PathWords = ({ path }: { readonly path: string }) => (
  <bdi class="path">
    {path.split(/(?<=\/)/).map((part, nth) => (
      <Fragment key={nth}>
        {nth > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </bdi>
);
