/** The settings that suit a text, when texts replace each other. */
import { describe, expect, test } from 'vitest';
import { SuitedRecipe } from '../web/store/text/suited-recipe.ts';

describe('settings that come with a text', () => {
  const micro = { preset: 'microgpt', changes: {} };
  const tiny = { preset: 'tinygpt', changes: {} };
  const published = ({ preset }: { readonly preset: string }) => ({ preset, changes: {} });

  test('come back with the reader’s own text from samples that brought others', () => {
    const suited = new SuitedRecipe(published);
    expect(suited.follow('own', 'moby', micro, false)).toEqual(tiny);
    expect(suited.follow('moby', 'names', tiny, false)).toEqual(micro);
    expect(suited.follow('names', 'moby', micro, false)).toEqual(tiny);
    expect(suited.follow('moby', 'own', tiny, false)).toEqual(micro);
    const gpt2 = { preset: 'gpt2', changes: { steps: 9 } };
    // Settings changed by hand survive every choice of a text.
    expect(suited.follow('own', 'moby', gpt2, true)).toBe(null);
    expect(suited.follow('moby', 'own', gpt2, true)).toBe(null);
    // Before the reader has entered a text, no settings are remembered for one.
    expect(new SuitedRecipe(published).follow('moby', 'own', tiny, false)).toBe(null);
  });

  test('stay as they were chosen by hand meanwhile', () => {
    const suited = new SuitedRecipe(published);
    suited.follow('own', 'moby', micro, false);
    expect(suited.follow('moby', 'own', { preset: 'gpt2', changes: {} }, false)).toBe(null);
    suited.follow('own', 'moby', micro, false);
    const changed = { ...tiny, changes: { steps: 9 } };
    expect(suited.follow('moby', 'own', changed, true)).toBe(null);
    // The text's earlier preset stays known until its current settings follow another text.
    expect(suited.presetBefore('own', changed)).toBe('microgpt');
    expect(suited.presetBefore('moby', changed)).toBe(null);
    expect(suited.presetBefore('own', micro)).toBe(null);
    suited.follow('own', 'moby', changed, true);
    expect(suited.presetBefore('own', changed)).toBe(null);
  });

  test('go with each of two readers’ own texts that take each other’s place', () => {
    const suited = new SuitedRecipe(published);
    suited.follow('own', 'moby', micro, false);
    expect(suited.exchange(tiny)).toEqual(micro);
    expect(suited.exchange(micro)).toEqual(tiny);
    expect(suited.exchange({ preset: 'gpt2', changes: {} })).toBe(null);
  });

  test('come back although the page fitted a text typed into the sample, but not after a later fit', () => {
    const suited = new SuitedRecipe(published);
    const fitted = { preset: 'gpt2', changes: { steps: 9 } };
    suited.follow('own', 'moby', micro, false);
    suited.refit(tiny, fitted);
    expect(suited.exchange(fitted)).toEqual(micro);
    suited.refit(micro, tiny);
    expect(suited.exchange(tiny)).toBe(null);
  });
});
