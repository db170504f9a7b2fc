/** What only some events need: a second file beside the hook, loaded on use (the shell parser alone is 90 KB). */
export { describeDifference } from './text/difference.ts';
export { injectAgent } from './shell/inject.ts';
