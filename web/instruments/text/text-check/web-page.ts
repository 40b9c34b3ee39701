/** Detects the source of a web page, whose tags the model would learn. */
import { isWebPage } from '../../../base/is-web-page.ts';
import { ending } from './change.ts';
import type { Found } from './change.ts';

const TAG = /<[!/]?[a-z][^<>]*>/gi;

/** Counts the tags if the text is a web page. */
export class WebPage {
  readonly #isPage: boolean;
  found: Found | null = null;

  constructor(text: string) {
    this.#isPage = isWebPage(text);
  }

  slice(slice: string): void {
    const tags = this.#isPage ? slice.match(TAG) : null;
    const first = tags?.[0];
    if (tags === null || first === undefined) return;
    const { count, change } = this.found ?? {
      count: 0,
      change: { before: ending(first), after: '' },
    };
    this.found = { count: count + tags.length, change };
  }
}
