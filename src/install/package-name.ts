/**
 * The name in guard's package.json: how a running guard recognises its own package. Launchers that version 0.1
 * committed look for it too, in every program that they start, so it stays although the registry has another `guard`
 * (decision 090 says how to publish under another name all the same).
 */
export const PACKAGE_NAME = 'guard';
