/** Texts as they come out when they are read in another encoding than they were written in. */

/** What a program makes of UTF-8 that it takes for Windows-1252. */
export function misread(text: string): string {
  return new TextDecoder('windows-1252').decode(new TextEncoder().encode(text));
}

/** The same for Latin-1: each byte is the character of its number. */
export function misreadLatin(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

export const intended = [
  'Où est l’été à la fête ?\n«\u00a0Là-bas\u00a0», dit-elle… déjà.',
  'Grüße aus Köln – 20 °C',
  '你好，世界。举头望明月',
  'Привет, мир',
  'it’s a “test”',
  'שלום עולם',
  'so 😀 or ❤️',
];
