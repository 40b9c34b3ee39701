/** Both catalogues at once, for forms that are one file or begin without waiting. */
import { en } from './en.ts';
import { addCatalogue } from './index.ts';
import { zh } from './zh.ts';

addCatalogue('en', en);
addCatalogue('zh', zh);
