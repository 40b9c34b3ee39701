/** The whole catalogues, for forms that are a single file or must not wait for one. */
import enLater from 'virtual:words/en-later';
import zhLater from 'virtual:words/zh-later';
import { en } from './en.ts';
import { addCatalogue } from './index.ts';
import { zh } from './zh.ts';

export const whole = { en: { ...en, ...enLater }, zh: { ...zh, ...zhLater } } as const;

addCatalogue('en', whole.en);
addCatalogue('zh', whole.zh);

export { wordsOf } from './index.ts';
