/** Splits a text into grapheme clusters; into code points where `Intl.Segmenter` is missing. */
export function characters(text: string): string[] {
  if (!('Segmenter' in Intl)) return Array.from(text);
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}
