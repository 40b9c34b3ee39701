/**
 * How a lesson is written: the parameters of a fragment for frames, and attributes of the same
 * names for the element.
 */
import { ADDRESS_PARAMS, PAGE_PARAMS } from '../store/address/address-params.ts';
import { LESSON_ATTRIBUTES } from '../store/address/lesson.ts';
import { TEXT_PARAMS } from '../store/text/sent-text.ts';

/** The parameters of a fragment for these attributes; `own` when the text is the reader's own. */
export function fragmentOf(read: (name: string) => string | null, own: boolean): string {
  const params = new URLSearchParams();
  for (const name of LESSON_ATTRIBUTES) {
    const value = read(name);
    if (value === null || name === 'settings') continue;
    params.set(name === 'sample' ? 'text' : name, value);
  }
  // Options have names of their own: `settings="layers=3&lr=0.01"`.
  for (const [name, value] of new URLSearchParams(read('settings') ?? '')) params.set(name, value);
  if (own) params.set('text', 'own');
  return `#${params.toString()}`;
}

/**
 * The fragment of the whole page for a frame that has come to `hash`, and began with `first`: its
 * own parameters and those of options. The text of the lesson goes along where the link held or
 * named it; what somebody has written instead does not.
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
