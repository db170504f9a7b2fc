/** Control characters, characters that change the text direction, and invisible ones. */
const HIDDEN =
  // eslint-disable-next-line no-control-regex -- these are what must not reach the terminal
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** Makes others' text (paths, agent names, messages) safe for terminals and models: hidden characters are shown. */
export function plain(text: string): string {
  return text.replace(HIDDEN, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
