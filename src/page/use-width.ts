import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

const AT_FIRST = 800;

/** The width of an element, updated as it changes. */
export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(AT_FIRST);
  useEffect(() => {
    const { current } = ref;
    if (current === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth || AT_FIRST));
    observer.observe(current);
    return () => observer.disconnect();
  });
  return [ref, width];
}
