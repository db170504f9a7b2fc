/**
 * The name in guard's package.json, by which a running guard recognises its own package. Launchers that version 0.1
 * committed also look for it in every program that they start, so it stays although the registry has another `guard`
 * (decision 090 explains how to publish under another name).
 */
export const PACKAGE_NAME = 'guard';
