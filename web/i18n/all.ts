/** The whole catalogues, for forms that are a single file or must not wait for one. */
import whole from 'virtual:words/all';
import { addCatalogue, LANGS } from './index.ts';

export { whole };

for (const lang of LANGS) addCatalogue(lang, whole[lang]);

export { wordsOf } from './index.ts';
