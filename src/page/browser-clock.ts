/** The browser's clock, used only for ages: no decision depends on it. */
export const browserNow = (): number => Date.now();
