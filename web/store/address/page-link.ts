/**
 * Links to this page. The address bar only says that a text is the reader's own; these links
 * contain the text itself, packed.
 */
import { asError } from '../../engine/errors.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { PageActions } from '../actions.ts';
import { messageOf } from '../messages.ts';
import type { PageState } from '../page-state.ts';
import { packText } from '../text/packed-text.ts';

/** Data from which a link is made. */
export interface LinkParts {
  readonly state: Pick<PageState, 'source'>;
  readonly actions: Pick<PageActions, 'readBytes'>;
  /** The fragment of the page, with its `#`. */
  readonly fragment: () => string;
  /** URL of the site's folder; null for the page's own. */
  readonly home: string | null;
  readonly words: AllWords;
}

/** A link, or the reason why it cannot be made; the other is empty. */
export interface MadeLink {
  readonly link: string;
  readonly why: string;
}

/** A link to this page as it is now, including the reader's own text if shown. */
export async function linkToPage(parts: LinkParts): Promise<MadeLink> {
  const { state, actions, words } = parts;
  const params = new URLSearchParams(parts.fragment().replace(/^#/, ''));
  // Readers of the link should not start in the sharing tab.
  if (params.get('view') === 'share') params.delete('view');
  if (state.source === 'own') {
    params.delete('text');
    try {
      params.set('packed', await packText(await actions.readBytes()));
    } catch (thrown) {
      return { link: '', why: whyNot(thrown, words) };
    }
  }
  const hash = params.toString();
  const link = new URL(hash === '' ? '' : `#${hash}`, parts.home ?? location.href).href;
  return { link, why: '' };
}

function whyNot(thrown: unknown, words: AllWords): string {
  const error = asError(thrown);
  const [size = 0, most = 0] = error.values;
  if (error.code !== 'share-packed' && error.code !== 'share-size') return messageOf(error, words);
  const said = (count: number): string =>
    error.code === 'share-packed' ? words.t('share.packed', { count }) : words.bytes(count);
  return words.t('share.long', { size: said(size), most: said(most) });
}
