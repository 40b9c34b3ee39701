/** The whole catalogues, for forms that are a single file or must not wait for a catalogue. */
import words from 'virtual:words/all';
import { addCatalogue, LANGS } from './index.ts';
import type { Lang, WholeCatalogue } from './index.ts';

export const whole: Readonly<Record<Lang, WholeCatalogue>> = words;

for (const lang of LANGS) addCatalogue(lang, whole[lang]);

export { wordsOf } from './index.ts';
