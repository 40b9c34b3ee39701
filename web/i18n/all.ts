/** The whole catalogues, for forms that are a single file or must not wait for one. */
import { enLater } from './en-later.ts';
import { en } from './en.ts';
import { addCatalogue } from './index.ts';
import { zhLater } from './zh-later.ts';
import { zh } from './zh.ts';

export const whole = { en: { ...en, ...enLater }, zh: { ...zh, ...zhLater } } as const;

addCatalogue('en', whole.en);
addCatalogue('zh', whole.zh);
