/** Text that somebody else chose (paths, agent names, messages), safe on a terminal: control characters made visible. */
export function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are what must not reach the terminal
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (char) => {
    const code = char.charCodeAt(0);
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
