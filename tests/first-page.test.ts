/** The first text and settings of the site's page, and the addresses that it writes. */
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { OptionTable } from '../web/engine/options.ts';
import {
  firstFragment,
  isPlain,
  readAddress,
  readAsk,
  readRecipe,
  writeAddress,
} from '../web/store/address/page-settings.ts';
import { SAMPLE_TEXTS } from '../web/store/text/texts.ts';
import { DirectTrainer } from '../web/engine/direct.ts';
import { engineBytes } from './node/load-engine.ts';

let table: OptionTable;

beforeAll(async () => {
  table = await new DirectTrainer(engineBytes()).options();
});

describe('a page without parameters', () => {
  test.each([
    ['en', '', 'names', '#text=names&preset=microgpt&batch=16&lr=0.004&steps=3000&validation=0.1'],
    ['zh', '', 'tang', '#text=tang&preset=microgpt'],
    ['zh', '#lang=zh', 'tang', '#text=tang&preset=microgpt&lang=zh'],
  ] as const)('begins in %s at “%s” with %s, and says so', (lang, hash, id, fragment) => {
    expect(firstFragment(readAddress(hash), lang)).toBe(fragment);
    const address = readAddress(fragment);
    expect(address.source).toBe(id);
    const { onPage } = SAMPLE_TEXTS.find((one) => one.id === id)!;
    expect(readRecipe(address, table)).toEqual(onPage);
    expect(isPlain(address)).toBe(true);
  });
});

it('keeps what an address says', () => {
  for (const hash of ['#steps=20', '#text=names', '#view=runs', '#preset=microgpt']) {
    expect(firstFragment(readAddress(hash), 'en')).toBeNull();
    expect(isPlain(readAddress(hash))).toBe(false);
  }
  // Older links that name no text mean the names with the preset as published.
  expect(readRecipe(readAddress('#seed=7'), table)).toEqual({
    preset: 'microgpt',
    changes: { seed: 7 },
  });
});

test('every address that the page writes names text and preset', () => {
  const plain = { lang: null, probe: null, scored: null, pace: 0, tab: '' };
  const address = readAddress('');
  const settings = { ...plain, source: address.source, ask: readAsk(address) };
  const recipe = { preset: 'microgpt', changes: {} };
  expect(writeAddress({ ...settings, recipe }, table)).toBe('#text=names&preset=microgpt');
  for (const { id, onPage } of SAMPLE_TEXTS) {
    const ask = readAsk(readAddress(`#text=${id}`));
    const hash = writeAddress({ ...settings, source: id, ask, recipe: onPage }, table);
    expect(readRecipe(readAddress(hash), table)).toEqual(onPage);
    expect(isPlain(readAddress(hash))).toBe(true);
  }
});
