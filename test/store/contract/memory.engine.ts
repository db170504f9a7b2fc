import type { Store } from '../../../src/store/store.ts';
import { openMemory } from '../memory.ts';
import { clock } from '../scratch.ts';
import type { Engine } from './engine.ts';

const places = new Map<string, Store>();

export function openPlace(place: string): Store {
  const store = places.get(place);
  if (store === undefined) throw new Error(`no place ${place}`);
  // Closing one opened store does not close the other stores of the place.
  return { ...store, close: () => undefined };
}

export const engine: Engine = {
  name: 'memory',
  module: 'test/store/contract/memory.engine.ts',
  processes: false,
  makePlace() {
    const place = `memory-${places.size}`;
    places.set(place, openMemory({ now: clock() }));
    return Promise.resolve(place);
  },
  removePlace: (place) => Promise.resolve(void places.delete(place)),
  open: openPlace,
};
