/** The parser. It is bundled into read-line.ts, and other lazily loaded files import it from there. */
export { forEachChild, parse } from 'unbash';
