/** Fitted settings on the page: applied, offered, undone, declined, kept in the tab's storage. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Fitting } from '../web/store/text/fitting.ts';
import type { Recipe } from '../web/engine/options.ts';
import type { Fit } from '../web/engine/trainer.ts';
import { KeptByTab } from './node/kept-by-tab.ts';

const micro = { preset: 'microgpt', changes: {} };
const byHand = { preset: 'gpt2', changes: {} };

const fit = (steps: number): Fit => ({
  recipe: { preset: 'tinygpt', changes: { steps } },
  kind: 'prose',
  version: 2,
  reasons: [],
  characters: 1,
  lines: 1,
});

interface Begun {
  /** Recipe in the address. */
  readonly recipe?: Recipe;
  /** True if the address names settings. */
  readonly chosen?: boolean;
  readonly isAllowed?: boolean;
  readonly keeps?: boolean;
}

function begun({
  recipe = micro,
  chosen = false,
  isAllowed = true,
  keeps = false,
}: Begun = {}): Fitting {
  const fitting = new Fitting({ keeps, isAllowed: () => isAllowed });
  fitting.begin(recipe, chosen);
  return fitting;
}

describe('where the page chose the settings', () => {
  test('those that suit the text are applied, while it is typed again and again', () => {
    const fitting = begun();
    expect(fitting.take(fit(5), micro)).toEqual(fit(5).recipe);
    expect(fitting.take(fit(6), fit(5).recipe)).toEqual(fit(6).recipe);
    expect(fitting.notice).toMatchObject({ status: 'applied', fit: fit(6) });
  });

  test('Undo goes back to what was before the first fit of this text, and offers the last', () => {
    const fitting = begun();
    fitting.take(fit(5), micro);
    fitting.take(fit(6), fit(5).recipe);
    expect(fitting.undo(fitting.notice!)).toEqual(micro);
    expect(fitting.notice).toMatchObject({ status: 'offered', fit: fit(6) });
  });

  test('what was taken back is not applied by itself, neither to this text nor to the next', () => {
    const fitting = begun();
    fitting.take(fit(5), micro);
    fitting.undo(fitting.notice!);
    expect(fitting.take(fit(6), micro)).toBe(null);
    fitting.forget();
    expect(fitting.take(fit(7), micro)).toBe(null);
    expect(fitting.notice?.status).toBe('offered');
  });

  test('what was taken back and then asked for is followed again', () => {
    const fitting = begun();
    fitting.take(fit(5), micro);
    fitting.undo(fitting.notice!);
    expect(fitting.apply(fit(5), micro)).toEqual(fit(5).recipe);
    expect(fitting.take(fit(6), fit(5).recipe)).toEqual(fit(6).recipe);
  });

  test('settings that suit already are left, and that is said', () => {
    const fitting = begun();
    expect(fitting.take({ ...fit(5), recipe: micro }, micro)).toBe(null);
    expect(fitting.notice?.status).toBe('same');
  });

  test('those that come with a sample text are the page’s, too', () => {
    const fitting = begun();
    fitting.give(byHand);
    expect(fitting.take(fit(5), byHand)).toEqual(fit(5).recipe);
  });
});

describe('where somebody chose the settings', () => {
  test.each([
    ['a link names them', begun({ chosen: true }), micro],
    ['the reader changed them', begun(), byHand],
  ])('%s: others are only offered, and applied when they are asked for', (_, fitting, wanted) => {
    expect(fitting.take(fit(5), wanted)).toBe(null);
    expect(fitting.notice).toMatchObject({ status: 'offered', before: wanted });
    expect(fitting.apply(fit(5), wanted)).toEqual(fit(5).recipe);
    expect(fitting.notice).toMatchObject({ status: 'applied', before: wanted });
    expect(fitting.undo(fitting.notice!)).toEqual(wanted);
  });

  test('what is declined is not offered again for the same text, but is for the next', () => {
    const fitting = begun({ chosen: true });
    fitting.take(fit(5), micro);
    fitting.decline();
    expect(fitting.notice).toBe(null);
    fitting.take(fit(6), micro);
    expect(fitting.notice).toBe(null);
    fitting.forget();
    fitting.take(fit(7), micro);
    expect(fitting.notice?.status).toBe('offered');
  });
});

test('where a lesson has locked the settings, nothing is applied and nothing is said', () => {
  const fitting = begun({ isAllowed: false });
  expect(fitting.take(fit(5), micro)).toBe(null);
  expect(fitting.notice).toBe(null);
});

describe('a reload', () => {
  beforeEach(() => {
    vi.stubGlobal('sessionStorage', new KeptByTab());
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  /** The page after a reload, with `recipe` in its address. */
  const reloaded = (recipe: Recipe): Fitting => begun({ recipe, chosen: true, keeps: true });

  test('keeps the page’s settings its own, though the address names them', () => {
    begun({ keeps: true }).take(fit(5), micro);
    const fitting = reloaded(fit(5).recipe);
    expect(fitting.take(fit(6), fit(5).recipe)).toEqual(fit(6).recipe);
  });

  test('does not make settings the page’s that were changed by hand since', () => {
    begun({ keeps: true }).take(fit(5), micro);
    expect(reloaded(fit(7).recipe).take(fit(6), fit(7).recipe)).toBe(null);
  });

  test.each(['null', '7', '[]', '{"preset":5,"changes":{}}', '{"preset":"tinygpt"}', '{"pre'])(
    'takes %s in place of the settings that were kept as none',
    (kept) => {
      sessionStorage.setItem('glasshouse.fitted', kept);
      expect(reloaded(micro).take(fit(5), micro)).toBe(null);
    },
  );

  test('of a page that keeps nothing has none of its own', () => {
    begun().take(fit(5), micro);
    expect(reloaded(fit(5).recipe).take(fit(6), fit(5).recipe)).toBe(null);
  });
});
