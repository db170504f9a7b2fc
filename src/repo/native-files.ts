/**
 * The native files that this guard was made with, by name in `native/`: their SHA-256. native/build.sh makes them,
 * `guard doctor` compares them, and a test holds the two together.
 */
export const NATIVE_FILES: Readonly<Record<string, string>> = {
  'guard-linux-x64.node': '0b0219dc2cde5a17fd56003ab3e8e1e4d44da77c89a224abf71d957f8ea5843a',
  'guard-linux-arm64.node': '8308b74548ba0ced53ceefe0a7c5b98ac7805a010ec0a763e39581503fc61619',
  'warm-linux-x64': 'fead2478efc7b84613ebe5873222ebdfc074ca3fec0487ef5cdbd4d8bf6eb10f',
  'warm-linux-arm64': 'a03d5e7ea27e5497b5abd0b7a73dd6b7fff3bae06e42dd7ea41fa989941262c7',
};
