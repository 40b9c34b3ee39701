/** Lines of a card in a link. */
import { expect, it } from 'vitest';
import { giftLines, withGift } from '../web/store/address/gift.ts';

const of = (link: string): string => new URL(link).hash.slice(1);

it('come back from a link as they were, in place of others', () => {
  const lines = ['holler & ray', '“春眠不觉晓，”', '<b>not bold</b>'];
  const link = withGift('https://a.b/#text=names&preset=microgpt&card=old', lines);
  const params = new URLSearchParams(of(link));
  expect(giftLines(params.get('card')!)).toEqual(lines);
  expect(params.getAll('card')).toHaveLength(1);
  expect(params.get('preset')).toBe('microgpt');
});

it('are limited in number and length, whatever a link says', () => {
  expect(giftLines('')).toEqual([]);
  expect(giftLines(' \n\n a \n')).toEqual(['a']);
  expect(giftLines('a\nb\nc\nd')).toEqual(['a', 'b', 'c']);
  expect(giftLines('🌻'.repeat(1000))).toEqual(['🌻'.repeat(300)]);
});
