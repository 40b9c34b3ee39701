/** All findings of the text check in a text, without pauses. */
import { examine } from '../../web/instruments/text/text-check/examine.ts';
import type { Findings } from '../../web/instruments/text/text-check/examine.ts';

export function findingsOf(text: string): Findings {
  const examination = examine(text);
  for (;;) {
    const { done, value } = examination.next();
    if (done === true) return value;
  }
}
