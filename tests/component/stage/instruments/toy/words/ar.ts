import type { PartialTranslation } from '../../../../../../web/i18n/index.ts';
import type { toy as english } from './en.ts';

/** The name of the toy; the rest is English. */
export const toy: PartialTranslation<typeof english> = {
  'share.show.toy': 'اللعبة',
};
