/** The parser. It is part of read-line.ts as that is built, and other files that are loaded on use take it from there. */
export { forEachChild, parse } from 'unbash';
