/** Words and letter sizes of a part of the page, as a reader sees them. */
import type { Page } from 'playwright-core';

interface Letters {
  /** Visible words, excluding generated text and the training text. */
  readonly words: number;
  /** The share of characters styled with at least 16 px. */
  readonly large: number;
  /** The smallest letter size in CSS pixels, as drawn. */
  readonly smallest: number;
}

/** Measures the visible text below the first element that matches `selector`. */
export function lettersIn(page: Page, selector: string): Promise<Letters> {
  return page.evaluate((root) => {
    const seen = (one: Element): boolean => {
      const { width, height } = one.getBoundingClientRect();
      const { visibility } = getComputedStyle(one);
      return width > 1 && height > 1 && visibility === 'visible';
    };
    const GIVEN = 'textarea, option, .written, .given, .visually-hidden, script, noscript';
    let [words, characters, large, smallest] = [0, 0, 0, Infinity];
    const nodes = document.createTreeWalker(document.querySelector(root)!, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode() !== null) {
      const box = nodes.currentNode.parentElement!;
      const text = (nodes.currentNode.textContent ?? '').trim();
      if (text === '' || box.closest(GIVEN) !== null || !seen(box)) continue;
      words += text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
      const size = parseFloat(getComputedStyle(box).fontSize);
      characters += text.length;
      if (size >= 16) large += text.length;
      // A drawing is scaled with its letters.
      const drawing = box.closest('svg');
      const wide = drawing?.viewBox.baseVal.width ?? 0;
      const scale = wide > 0 ? drawing!.getBoundingClientRect().width / wide : 1;
      smallest = Math.min(smallest, size * scale);
    }
    return { words, large: large / characters, smallest };
  }, selector);
}
