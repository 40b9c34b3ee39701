/**
 * The page's table of languages with one more for tests: right to left, three plural forms, few
 * texts. Its words are in stage/i18n/ar and in those of the toy instrument.
 */
import { LANGUAGES as PAGE_LANGUAGES } from '../../../web/i18n/languages.ts';
import type { Language } from '../../../web/i18n/languages.ts';

const ar: Language = {
  tag: 'ar',
  name: 'العربية',
  dir: 'rtl',
  // One, two, more; Arabic itself has six forms.
  form: (count) => (count === 1 ? 0 : count === 2 ? 1 : 2),
  gap: ' ',
  marks: '.,',
  isPartial: true,
};

export const LANGUAGES = { ...PAGE_LANGUAGES, ar };
