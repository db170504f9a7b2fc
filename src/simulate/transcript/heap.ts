/** A binary heap, which gives the first of many items. */
export interface Heap<T> {
  readonly size: () => number;
  readonly peek: () => T | undefined;
  readonly push: (one: T) => void;
  readonly pop: () => T | undefined;
}

/** @param isBefore a strict order */
export function heapOf<T>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = [];
  const at = (index: number): T => items[index] as T;
  const swap = (a: number, b: number): void => {
    [items[a], items[b]] = [at(b), at(a)];
  };
  const up = (from: number): void => {
    for (let child = from; child > 0;) {
      const parent = (child - 1) >> 1;
      if (!isBefore(at(child), at(parent))) return;
      swap(child, parent);
      child = parent;
    }
  };
  const down = (): void => {
    for (let parent = 0; ;) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      let first = parent;
      if (left < items.length && isBefore(at(left), at(first))) first = left;
      if (right < items.length && isBefore(at(right), at(first))) first = right;
      if (first === parent) return;
      swap(first, parent);
      parent = first;
    }
  };
  return {
    size: () => items.length,
    peek: () => items[0],
    push: (one) => {
      items.push(one);
      up(items.length - 1);
    },
    pop: () => {
      const [first] = items;
      const last = items.pop();
      if (items.length > 0) {
        items[0] = last as T;
        down();
      }
      return first;
    },
  };
}
