/** What a call throws, or `null`: for assertions on codes and facts. */
export function errorOf(call: () => unknown): unknown {
  try {
    call();
    return null;
  } catch (error) {
    return error;
  }
}
