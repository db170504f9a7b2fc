/**
 * The native files that this guard was made with, by name in `native/`: their SHA-256. native/build.sh makes them,
 * `guard doctor` compares them, and a test holds the two together.
 */
export const NATIVE_FILES: Readonly<Record<string, string>> = {
  'guard-linux-x64.node': '0b0219dc2cde5a17fd56003ab3e8e1e4d44da77c89a224abf71d957f8ea5843a',
  'guard-linux-arm64.node': '8308b74548ba0ced53ceefe0a7c5b98ac7805a010ec0a763e39581503fc61619',
  'warm-linux-x64': '00a078a78617c9859c58c22273c191b1a0ae9ca45435cb22d46333a2e834e751',
  'warm-linux-arm64': '72f358d6fda0aa33bb6cc247cb18af9e26c69c2a93be429f1eb25f037432ef25',
};
