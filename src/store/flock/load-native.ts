/** `require`, in the bundled CommonJS hook and in the sources alike. */
declare const require: NodeJS.Require | undefined;

export function nativeRequire(): NodeJS.Require {
  if (typeof require === 'function') return require;
  return process.getBuiltinModule('node:module').createRequire(import.meta.filename);
}
