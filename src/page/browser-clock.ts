/** The clock of the browser, for ages: nothing is decided by it. */
export const browserNow = (): number => Date.now();
