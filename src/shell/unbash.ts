// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The parser, in one file of its own, which all that read command lines share. */
export { forEachChild, parse } from 'unbash';
