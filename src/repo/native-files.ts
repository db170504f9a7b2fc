/**
 * SHA-256 digests of the native files that belong to this guard, by their name in `native/`. native/build.sh builds the
 * files, `guard doctor` compares them, and a test keeps the two consistent.
 */
export const NATIVE_FILES: Readonly<Record<string, string>> = {
  'guard-linux-x64.node': 'ca0b386cc5a24ad4f29f6aeb284b542e302de0c8ca5753231ee812bf13e7e664',
  'guard-linux-arm64.node': 'b47b0200b2f653986062fbb400b02bbdd28352c72c323633223fe4a80d9413d7',
  'warm-linux-x64': '00a078a78617c9859c58c22273c191b1a0ae9ca45435cb22d46333a2e834e751',
  'warm-linux-arm64': '72f358d6fda0aa33bb6cc247cb18af9e26c69c2a93be429f1eb25f037432ef25',
};
