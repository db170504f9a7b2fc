/**
 * SHA-256 digests of the native files that belong to this guard, by their name in `native/`. native/build.sh builds the
 * files, `guard doctor` compares them, and a test keeps the two consistent.
 */
export const NATIVE_FILES: Readonly<Record<string, string>> = {
  'guard-linux-x64.node': '0ad8cd5c8c512c28e2c7f908e364e9b39efd27a358a31510f2dbc520a7d2254b',
  'guard-linux-arm64.node': 'a952b408b05a38404fc3c8366df23b0ab0519dc5739cd9ce8227afcd22a40af0',
  'warm-linux-x64': '00a078a78617c9859c58c22273c191b1a0ae9ca45435cb22d46333a2e834e751',
  'warm-linux-arm64': '72f358d6fda0aa33bb6cc247cb18af9e26c69c2a93be429f1eb25f037432ef25',
};
