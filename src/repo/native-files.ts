/**
 * The native files that this guard was made with, by name in `native/`: their SHA-256. native/build.sh makes them,
 * `guard doctor` compares them, and a test holds the two together.
 */
export const NATIVE_FILES: Readonly<Record<string, string>> = {
  'guard-linux-x64.node': '0b0219dc2cde5a17fd56003ab3e8e1e4d44da77c89a224abf71d957f8ea5843a',
  'guard-linux-arm64.node': '8308b74548ba0ced53ceefe0a7c5b98ac7805a010ec0a763e39581503fc61619',
  'warm-linux-x64': '730a87176d4101c1768a6df3c7995de074da9c47150eb334ef96af38fa2ce513',
  'warm-linux-arm64': '268ee18e6fe46e2b9b60f2026f8e7e70839430d01e4dbb6aa6fa0a59bc9205bd',
};
