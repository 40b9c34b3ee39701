/**
 * The two spellings of a lesson: link parameters for frames, attributes of the same names for the
 * element.
 */
import { ADDRESS_PARAMS, PAGE_PARAMS } from '../store/address/address-params.ts';
import { LESSON_ATTRIBUTES } from '../store/address/lesson-attributes.ts';
import { TEXT_PARAMS } from '../store/text/sent-text.ts';

/** Converts attributes to link parameters; `own`: the text is the reader's own. */
export function fragmentOf(read: (name: string) => string | null, own: boolean): string {
  const params = new URLSearchParams();
  for (const name of LESSON_ATTRIBUTES) {
    const value = read(name);
    if (value === null || name === 'settings') continue;
    params.set(name === 'sample' ? 'text' : name, value);
  }
  // The attribute `settings` contains all options: `settings="layers=3&lr=0.01"`.
  for (const [name, value] of new URLSearchParams(read('settings') ?? '')) params.set(name, value);
  if (own) params.set('text', 'own');
  return `#${params.toString()}`;
}

/**
 * Link parameters that open the whole page with the settings and options of a frame. The fragment
 * of the frame is `hash`, and was `first` when the frame was opened. Includes the text of the
 * original link, but not a text typed since.
 */
export function pageParams(hash: string, first: string): string {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  for (const name of Object.keys(ADDRESS_PARAMS)) if (!(name in PAGE_PARAMS)) params.delete(name);
  if (params.get('text') !== 'own') return params.toString();
  params.delete('text');
  const given = new URLSearchParams(first.replace(/^#/, ''));
  for (const name of TEXT_PARAMS) {
    const value = given.get(name);
    if (value !== null) params.set(name, value);
  }
  return params.toString();
}
