/**
 * The word catalogues: complete, with equal placeholders in both languages, and with a text for
 * every name that the engine uses.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import WORDS from 'virtual:words/loaders';
import { describe, expect, it } from 'vitest';
import { instruments } from '../web/embed/build/instruments.ts';
import { DirectTrainer } from '../web/engine/direct.ts';
import { whole } from '../web/i18n/all.ts';
import { LANGUAGES } from '../web/i18n/languages.ts';
import type { AnyKey, Key, Lang } from '../web/i18n/index.ts';
import { languageOf, LANGS, wordsOf } from '../web/i18n/index.ts';

const { en } = whole;
/** The languages beside English, with their own texts. */
const others = LANGS.filter((lang) => lang !== 'en').map((lang) => [lang, whole[lang]] as const);
/** The languages that have every text. */
const complete = LANGS.filter((lang) => !languageOf(lang).isPartial).map(
  (lang) => [lang, whole[lang]] as const,
);
/** How many forms a word has that goes with a count. */
const formsOf = (lang: Lang): number =>
  1 + Math.max(...Array.from({ length: 1000 }, (_, count) => languageOf(lang).form(count)));
const engine = new Uint8Array(
  readFileSync(join(import.meta.dirname, '../build/wasm/glasshouse.wasm')),
);

/** Distinct names of placeholders: a text may repeat one for a plural form, others do not. */
function places(text: string): string[] {
  const names = [...text.matchAll(/\{(\w+)[|}]/g)].map(([, name]) => name ?? '');
  return [...new Set(names)].sort();
}

describe('numbers that are read', () => {
  it.each(LANGS)('have a minus sign, and a power of ten in place of an exponent, in %s', (lang) => {
    const { number, short, percent, t } = wordsOf(lang);
    const { marks } = languageOf(lang);
    /** The number in English, without what isolates it in a language from right to left. */
    const plain = (text: string): string =>
      text
        .replace(/[\u2066\u2069]/g, '')
        .replace(/./gu, (sign) => ',.'[marks.indexOf(sign)] ?? sign);
    expect(plain(number(-1234.5, 1))).toBe('−1,234.5');
    expect(plain(short(-0.25))).toBe('−0.25');
    expect(plain(short(-1.5e-7))).toBe('−1.5\u202f×\u202f10⁻⁷');
    // Large numbers keep three significant digits.
    expect(plain(short(1_234_567))).toBe('1,230,000');
    expect(plain(short(1.534e12))).toBe('1.53\u202f×\u202f10¹²');
    expect(plain(percent(-0.5))).toBe('−50%');
    expect(plain(t('loss.point.rate', { rate: -2, norm: -0.5 }))).toMatch(/−2.*−0\.5/);
  });
});

describe('the catalogues', () => {
  it('are those of every language of the table, with all texts in English and Chinese', () => {
    expect(Object.keys(whole)).toEqual(LANGS);
    expect(complete.map(([lang]) => lang)).toEqual(['en', 'zh']);
    for (const [, all] of complete) {
      expect(Object.keys(all).sort()).toEqual(Object.keys(en).sort());
    }
    // English under another name would be no language of the page.
    for (const [, all] of others) {
      expect([undefined, en['app.tagline']]).not.toContain(all['app.tagline']);
    }
  });

  it('are missed by the build where the table has a language without any', () => {
    const table = { ...LANGUAGES, xx: { ...LANGUAGES.en, tag: 'xx', isPartial: true } };
    const { load } = instruments(join(import.meta.dirname, '..'), null, [], table);
    const read = load as unknown as (id: string) => string;
    expect(read('\0virtual:words/en')).toContain('web/i18n/en/app.ts');
    expect(() => read('\0virtual:words/xx')).toThrow('there are no words in web/i18n/xx');
  });

  it.each(others)('%s has the places of English in every text', (_, all) => {
    for (const [key, text] of Object.entries(all)) {
      expect([key, places(text)]).toEqual([key, places(en[key as keyof typeof en])]);
    }
  });

  it.each(Object.entries(whole))('%s takes names from where they stand', (_, all) => {
    const names = new Map(Object.entries(all));
    /** Quoted words that are not the name of a control. */
    const plain = /^(\{\w+\}|下一个词元是什么)$/;
    for (const [key, text] of names) {
      for (const [, name = ''] of text.matchAll(/\{=([^}]*)\}/g)) {
        // A name contains no placeholder and no reference to another name.
        const named = names.get(name) ?? en[name as AnyKey];
        expect([key, name, named]).toEqual([key, name, expect.stringMatching(/^[^{}]+$/)]);
      }
      for (const [, quoted = ''] of text.matchAll(/“([^”]*)”/g)) {
        if (plain.test(quoted)) continue;
        expect([key, quoted]).toEqual([key, expect.stringMatching(/^\{=[\w.]+\}$/)]);
      }
      // English references the name of a control after “press”; it does not spell the name out.
      expect([key, text]).toEqual([key, expect.not.stringMatching(/\b[Pp]ress (the )?[A-Z]/)]);
    }
    const namesIn = (one: string): string[] =>
      [...one.matchAll(/\{=([\w.]+)\}/g)].map(([n]) => n).sort();
    for (const [key, text] of names) {
      const wanted = namesIn(en[key as keyof typeof en]);
      expect([key, namesIn(text)]).toEqual([key, expect.arrayContaining(wanted)]);
    }
  });

  it('say on the first screen only what is there before the rest has come', async () => {
    const english = await WORDS.en.first();
    const later = await WORDS.en.later();
    expect(Object.keys(english).filter((key) => key in later)).toEqual([]);
    for (const lang of LANGS) {
      const first = await WORDS[lang].first();
      for (const [key, text] of Object.entries(first)) {
        const names = [...text.matchAll(/\{=([\w.]+)\}/g)].map(([, name = '']) => name);
        expect([key, names.filter((name) => !(name in english))]).toEqual([key, []]);
      }
    }
  });

  it.each(LANGS)('%s has its forms wherever a word goes with a count, no other braces', (lang) => {
    const forms = new RegExp(String.raw`\{\w+(\|[^|{}]+){${formsOf(lang)}}\}`, 'g');
    for (const [key, text] of Object.entries(whole[lang])) {
      const rest = text.replace(forms, '').replace(/\{=?[\w.]+\}/g, '');
      expect([key, rest]).toEqual([key, expect.not.stringMatching(/[{}]/)]);
    }
  });

  it('name a count in English with a word that goes with it', () => {
    const nouns =
      /\{(\w+)\} (equally likely |different )?(tokens?|bytes?|characters?|steps?|times?|parameters?|heads?|entries|lines?|numbers?|others?)\b/;
    for (const [key, text] of Object.entries(en)) {
      expect([key, text]).toEqual([key, expect.not.stringMatching(nouns)]);
    }
    const { t } = wordsOf('en');
    const dice = { step: 1000, temperature: 0.8, seed: 7 };
    const said = (tokens: number): string => t('ask.done', { ...dice, tokens });
    const start = 'Written at step 1,000, temperature 0.8, seed 7:';
    expect(said(1)).toBe(`${start} 1 token.`);
    expect(said(0)).toBe(`${start} 0 tokens.`);
    expect(said(2000)).toBe(`${start} 2,000 tokens.`);
    expect(t('error.left-out-all', { 0: 0, 1: 1 })).toContain(
      '0 of 1 position to train on remain, but at least one in 1000 must.',
    );
    expect(t('text.cut', { documents: 1, tokens: 1 })).toContain(
      '1 of these lines is longer than the context (all that the model sees at once). The part beyond it (1 token) and the end of the line are never learned.',
    );
    expect(t('text.cut', { documents: 2, tokens: 30 })).toContain(
      '2 of these lines are longer than the context (all that the model sees at once). The part beyond it (30 tokens) and the ends of the lines are never learned.',
    );
    expect(wordsOf('zh').t('ask.done', { ...dice, tokens: 1 })).not.toMatch(/[{|}]/);
  });

  it.each(complete)('%s names every option, choice and preset', async (_, all) => {
    const trainer = new DirectTrainer(engine);
    const { options, presets } = await trainer.options();
    trainer.close();
    const wanted = presets.map((preset) => `preset.${preset}`);
    for (const { name, choices } of options) {
      wanted.push(`option.${name}`, `option.${name}.help`);
      wanted.push(...choices.map((choice) => `choice.${name}.${choice}`));
    }
    expect(wanted.filter((key) => !(key in all))).toEqual([]);
  });

  it.each(complete)('%s explains every status of the engine', (_, all) => {
    const header = readFileSync(join(import.meta.dirname, '../c/base/status.h'), 'utf8');
    const codes = [...header.matchAll(/X\(E_\w+, -\d+, "([\w-]+)"/g)].map(([, code]) => code ?? '');
    expect(codes.length).toBeGreaterThan(15);
    expect(codes.filter((code) => !(`error.${code}` in all))).toEqual([]);
  });

  it('stand in the HTML as they are, for the moments before the script runs', () => {
    const read = (page: string): string =>
      readFileSync(join(import.meta.dirname, '../web', page), 'utf8');
    const html = read('index.html');
    const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
    const found = [...html.matchAll(/data-i18n="([\w.]+)"[^>]*>([^<]*)</g)];
    expect(found.length).toBeGreaterThan(3);
    for (const [, key, text] of found) {
      expect(plain(text ?? '')).toBe(plain(wordsOf('en').t(key as Key)));
    }
    // Compares without white space: the source breaks lines of Chinese, which has no spaces.
    const dense = (text: string): string => text.replace(/\s+/g, '');
    for (const key of ['nosimd', 'noload', 'noscript'] as const) {
      for (const [, all] of complete) expect(dense(html)).toContain(dense(all[key]));
    }
    const frame = read('embed.html');
    for (const key of ['nosimd', 'noload', 'noscript', 'sandboxed'] as const) {
      for (const [, all] of complete) expect(dense(frame)).toContain(dense(all[key]));
    }
  });
});
