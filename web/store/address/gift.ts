/**
 * Lines of a card in a link, parameter `card`: what a model wrote that learned the link's text. A
 * link is untrusted input, so the lines are limited.
 */

/** Maximum number of lines, and of characters of each. */
const MOST_LINES = 3;
const MOST_CHARACTERS = 300;

/** The lines in a value of the parameter. */
export function giftLines(value: string): readonly string[] {
  return value
    .split('\n')
    .map((line) => Array.from(line.trim()).slice(0, MOST_CHARACTERS).join(''))
    .filter((line) => line !== '')
    .slice(0, MOST_LINES);
}

/** Puts lines into a link to this page, in place of others. */
export function withGift(link: string, lines: readonly string[]): string {
  const card = new URLSearchParams({ card: lines.join('\n') }).toString();
  return `${link.replace(/&card=[^&]*/, '')}&${card}`;
}
