/**
 * The native files that this guard was made with, by name in `native/`: their SHA-256. native/build.sh makes them,
 * `guard doctor` compares them, and a test holds the two together.
 */
export const NATIVE_FILES: Readonly<Record<string, string>> = {
  'flock-linux-x64.node': '10b526be7c21549042761930a743d563ac4bf64ad1220585530ca50c74b28237',
  'flock-linux-arm64.node': 'fa7f34e96ac196ca3b8a0b8f22b51b8446fc691e048a173d19c937d1758168e9',
};
