import type { Translation } from '../../../../../../web/i18n/index.ts';
import type { toy as english } from './en.ts';

/** What the toy says. */
export const toy: Translation<typeof english> = {
  'toy.title': '玩具',
  'toy.pressed': '按下了{text}',
};
