// The documentation contract: every op and every stage has an entry in both languages, entries name
// C functions that exist, and the pages built from them are consistent.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { CSource } from '../web/docs/build/c-source.ts';
import { parseEntry } from '../web/docs/build/entries.ts';
import {
  figureTexts,
  isSymbol,
  readFigureWords,
  translateFigure,
} from '../web/docs/build/figures.ts';
import { formulasOf } from '../web/docs/build/markdown.ts';
import { renderMath } from '../web/docs/build/math.ts';
import { buildDocs } from '../web/docs/build/site.ts';
import { STAGES } from '../web/docs/build/stages.ts';
import { tapeOps } from '../web/docs/build/tape-ops.ts';
import { LANGS, PAGES } from '../web/docs/build/words.ts';
import type { Lang } from '../web/docs/build/words.ts';
import { whole } from '../web/i18n/all.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const code = new CSource(join(root, 'c'));
const ops = tapeOps(code);
// Throws, which fails this file, if a C function does not exist, a formula does not render, a
// figure is missing, or an entry or page lacks a part.
const docs = buildDocs(root);
const entries = [...docs.entries.values()];

/** Files without a computation to document: errors, strings, JSON, the API, the command line. */
const PLUMBING =
  /^(api|cli)\/|^base\/(json|lines|real|error|text_buffer)\b|^kernels\/vec\.h|^tape\/(ops|ops_internal|ops_list)\b|^recipe\/config\b|^io\/json_values\b/;

describe('the contract', () => {
  test.each(ops)('the op $name has an entry, with both of its C functions', (op) => {
    const entry = entries.find((one) => one.op === op.name);
    expect(entry, `web/docs/entries/${op.name}.md`).toBeDefined();
    expect(entry!.functions).toContain(op.forward);
    if (op.backward !== null) {
      expect(entry!.functions).toContain(op.backward);
      expect(entry!.backward, 'the formula of its backward pass').not.toBeNull();
    }
  });

  test.each(STAGES)('the stage %s has an entry', (stage) => {
    expect(docs.entries.has(stage), `web/docs/entries/${stage}.md`).toBe(true);
  });

  test('every entry is an op or a listed stage', () => {
    const known = new Set<string>([...STAGES, ...ops.map((op) => op.name)]);
    expect(entries.map((entry) => entry.op ?? entry.id).filter((name) => !known.has(name))).toEqual(
      [],
    );
  });

  test('every file of the engine is explained by some entry', () => {
    const named = new Set(
      entries.flatMap((entry) =>
        entry.functions.map((name) => code.find(name).file.replace(/\.[ch]$/, '')),
      ),
    );
    const silent = [...code.files.keys()].filter(
      (file) => file.endsWith('.c') && !PLUMBING.test(file) && !named.has(file.slice(0, -2)),
    );
    // kernels_simd.c implements the same functions as kernels_ref.c, which has the entries.
    expect(silent).toEqual(['kernels/kernels_simd.c']);
  });
});

describe('the two languages', () => {
  test.each(PAGES)('%s has the same headings, entries, figures, tables and formulas', (page) => {
    const [en, zh] = LANGS.map((lang) => docs.rendered[lang].get(page)!);
    expect(zh!.structure).toEqual(en!.structure);
    expect(zh!.formulas).toEqual(en!.formulas);
  });

  test.each(entries)('$id has the same notes and formulas in both', ({ text }) => {
    expect(text.zh.notes.length).toBe(text.en.notes.length);
    for (const part of ['words', 'notes'] as const) {
      const [en, zh] = LANGS.map((lang) => formulasOf([text[lang][part]].flat().join('\n\n')));
      expect(zh).toEqual(en);
    }
  });

  test.each(entries)('$id is written in both: Chinese is not left in English', ({ text }) => {
    const chinese = (words: string): boolean => /[\u4e00-\u9fff]{4}/.test(words);
    expect([text.en.title, text.en.words, ...text.en.notes].some(chinese)).toBe(false);
    expect([text.zh.words, ...text.zh.notes].every(chinese)).toBe(true);
  });

  test.each(PAGES)('%s joins Chinese lines without a space, in lists too', (page) => {
    const { html } = docs.rendered.zh.get(page)!;
    const apart =
      /.{0,9}[\u3001-\u9fff\uff00-\uffef](<\/\w+>)?[ \n]+[\u3001-\u9fff\uff00-\uffef].{0,9}/g;
    expect(html.match(apart)).toBeNull();
  });

  test.each(entries)('$id stands in full on exactly one page', ({ id }) => {
    expect(docs.homes.has(id)).toBe(true);
    for (const lang of LANGS) {
      const pages = PAGES.filter((page) =>
        docs.pages.get(`docs/${lang}/${page}.html`)!.includes(`<section class="entry" id="${id}"`),
      );
      expect(pages).toEqual([docs.homes.get(id)]);
    }
  });
});

test.each(LANGS)('a lesson opens beside the page that says what to do in it: %s', (lang) => {
  const lessons = docs.pages
    .get(`docs/${lang}/teaching.html`)!
    .match(/<a [^>]*embed\.html#[^>]*>[^<]*<\/a>/g)!;
  expect(lessons.length).toBe(12);
  for (const link of lessons) {
    expect(link).toContain('target="_blank" rel="noopener"');
    expect(link).toMatch(/ \(in a new tab\)<|（在新标签页中）</);
  }
});

describe('the names of buttons and panels', () => {
  /** Names in single asterisks (*so*) on the teachers' page, block by block. */
  const named = (lang: Lang): string[][] =>
    readFileSync(join(root, `web/docs/${lang}/teaching.md`), 'utf8')
      .split(/\n(?=\d\. |\| |\n)/)
      .map((block) => [...block.matchAll(/(?<!\*)\*([^*\s][^*]*)\*(?!\*)/g)].map((one) => one[1]!));
  /** Keys of the page's texts that equal the name, in full or before a colon. */
  const keysOf = (lang: Lang, name: string): string[] =>
    Object.entries(whole[lang]).flatMap(([key, text]) =>
      [text, text.split(/[:：]/)[0]].includes(name) ? [key] : [],
    );

  test.each(LANGS)('are just those of the page: %s', (lang) => {
    const names = named(lang).flat();
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => keysOf(lang, name).length === 0)).toEqual([]);
  });

  test('are the same ones in both languages', () => {
    const [english, chinese] = [named('en'), named('zh')];
    expect(chinese.map((names) => names.length)).toEqual(english.map((names) => names.length));
    english.forEach((names, block) => {
      for (const name of names) {
        const keys = keysOf('en', name);
        const same = chinese[block]!.some((other) =>
          keysOf('zh', other).some((key) => keys.includes(key)),
        );
        expect([name, chinese[block], same]).toEqual([name, chinese[block], true]);
      }
    });
  });
});

test('formulas show all that they say: digits too', () => {
  expect(() => renderMath('\\mathrm{F16} = 1', true)).toThrow('digits');
  expect(renderMath('\\text{F16} = 1', true)).toContain('F16<');
});

describe('figures', () => {
  const folder = join(root, 'web/docs/figures');
  const drawings = readdirSync(folder).filter((name) => name.endsWith('.svg'));
  const words = readFigureWords(join(folder, 'block.svg'));
  const texts = (name: string): string[] =>
    figureTexts(readFileSync(join(folder, name), 'utf8')).filter((text) => !isSymbol(text));

  test.each(drawings)('every word of %s is translated, or the same on purpose', (name) => {
    const known = [...Object.keys(words.zh), ...words.same];
    expect(texts(name).filter((text) => !known.includes(text))).toEqual([]);
    // Figures use plain text elements only, because figureTexts reads no others.
    const svg = readFileSync(join(folder, name), 'utf8');
    expect(svg).not.toMatch(/<tspan|<title|<desc/);
  });

  test('no word is in the list that no drawing has, and none twice', () => {
    const said = new Set(drawings.flatMap(texts));
    const listed = [...Object.keys(words.zh), ...words.same];
    expect(listed.filter((text) => !said.has(text))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  test('Chinese pages hold Chinese drawings', () => {
    const flow = (lang: string): string =>
      /<figure>[\s\S]*?<\/figure>/.exec(docs.pages.get(`docs/${lang}/index.html`)!)![0];
    expect(figureTexts(flow('zh')).filter((text) => text in words.zh)).toEqual([]);
    expect(figureTexts(flow('zh'))).toContain('词元');
    expect(figureTexts(flow('en'))).toContain('tokens');
    const attempt = (): string => translateFigure('<text>unknown</text>', 'en', words);
    expect(attempt).toThrow('unknown');
  });
});

describe('the built pages', () => {
  const attributes = (html: string, name: string): string[] =>
    [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map((match) => match[1]!);

  test('every link leads to a page and an anchor that exist', () => {
    const broken: string[] = [];
    for (const [path, html] of docs.pages) {
      for (const [, href = ''] of html.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        if (/^https?:/.test(href)) continue;
        const [file = '', anchor] = href.split('#');
        const target = file === '' ? path : posix.join(posix.dirname(path), file);
        const page = docs.pages.get(target);
        const found =
          target === 'index.html' ||
          // The fragment of a lesson belongs to the app.
          target === 'embed.html' ||
          // Made by the build; host-calls.test.ts fetches it.
          target === 'schema/frame.schema.json' ||
          (page !== undefined &&
            (anchor === undefined || anchor === '' || page.includes(` id="${anchor}"`)));
        if (!found) broken.push(`${path}: ${href}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test('no page holds a script, a style, or a style attribute; one script follows the theme', () => {
    const link = '<script type="module" src="/docs/follow-theme.ts"></script>';
    for (const [path, page] of docs.pages) {
      const html = page.replace(link, '');
      expect(html, path).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=|javascript:/);
    }
  });

  test('ids are unique, and headings go down one level at a time', () => {
    for (const [path, html] of docs.pages) {
      const ids = attributes(html, 'id');
      expect(ids.filter((id, i) => ids.indexOf(id) !== i && !path.includes('source/'))).toEqual([]);
      const levels = [...html.matchAll(/<h(\d)/g)].map((match) => Number(match[1]));
      expect(levels[0], path).toBe(1);
      expect(levels.filter((level) => level === 1).length, path).toBe(1);
      levels.reduce((above, level) => {
        expect(level - above, path).toBeLessThanOrEqual(1);
        return level;
      });
    }
  });

  test('every formula carries its LaTeX as text, every drawing its words', () => {
    for (const [path, html] of docs.pages) {
      expect((html.match(/<math(?! alttext="[^"])/g) ?? []).length, path).toBe(0);
      for (const svg of html.match(/<svg[^>]*>/g) ?? []) {
        expect(svg, path).toMatch(/aria-hidden="true"|role="img" aria-label="[^"]+"/);
      }
    }
  });

  test('a page says its language and leads to the other one', () => {
    for (const page of PAGES) {
      const en = docs.pages.get(`docs/en/${page}.html`)!;
      const zh = docs.pages.get(`docs/zh/${page}.html`)!;
      expect(en).toContain('<html lang="en">');
      expect(zh).toContain('<html lang="zh-Hans">');
      expect(en).toContain(`<a href="../zh/${page}.html" lang="zh-Hans"`);
      expect(zh).toContain(`<a href="../en/${page}.html" lang="en"`);
    }
  });

  test('line numbers point at the definition', () => {
    for (const entry of entries) {
      for (const reference of entry.functions) {
        const { name, file, line } = code.find(reference);
        const lines = readFileSync(join(root, 'c', file), 'utf8').split('\n');
        expect(lines[line - 1]).toContain(name);
        expect(docs.pages.get(`docs/source/${file}.html`)).toContain(` id="L${line}"`);
      }
    }
  });

  test('what the app will show is complete in both languages', () => {
    for (const lang of LANGS) {
      for (const entry of docs.shown[lang]) {
        expect(entry.formula).toContain('<math');
        expect(entry.words).toContain('<p>');
        expect(entry.functions[0]!.text).toContain(entry.functions[0]!.name);
        const [path = '', anchor = ''] = entry.href.split('#');
        expect(docs.pages.get(path)).toContain(` id="${anchor}"`);
      }
    }
  });
});

describe('the glossary', () => {
  const { en, zh } = docs.terms;

  test('explains the words that the page cannot do without', () => {
    const needed =
      'loss token vocabulary parameters step learning_rate context head attention perplexity ' +
      'validation memorising temperature top_k top_p logits softmax gradient_norm ' +
      'bits_per_character kv_cache random_guessing seed';
    const ids = en.map(({ id }) => id);
    expect(needed.split(' ').filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('has formulas of its own words only, and one for most', () => {
    const ids = en.map(({ id }) => id);
    const formulas = Object.entries(docs.termFormulas);
    expect(formulas.length).toBeGreaterThan(ids.length / 2);
    for (const [id, formula] of formulas) {
      expect(ids).toContain(id);
      expect(formula).toMatch(/^(<span class="formula-piece">)?<math .*<\/math>(<\/span>)?$/);
    }
  });

  test.each(en.map((term, at) => [term.id, term, zh[at]!] as const))(
    '%s is explained in both languages, with an example, and leads to an anchor that exists',
    (id, english, chinese) => {
      expect(chinese.id).toBe(id);
      expect(english.words).not.toMatch(/[\u4e00-\u9fff]/);
      expect(chinese.words).toMatch(/[\u4e00-\u9fff]{4}/);
      for (const { href, words } of [english, chinese]) {
        expect(words).toMatch(/<p class="example">.{10}/);
        const [path = '', anchor = ''] = href.split('#');
        expect(docs.pages.get(path), href).toContain(` id="${anchor}"`);
      }
      for (const lang of LANGS) {
        expect(docs.pages.get(`docs/${lang}/glossary.html`)).toContain(` id="term-${id}"`);
      }
    },
  );

  test('explains every word that some view offers to explain', () => {
    const used = ['kit', 'store', 'instruments', 'page'].flatMap((folder) =>
      readdirSync(join(root, 'web', folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .flatMap((name) => {
          const source = readFileSync(join(root, 'web', folder, name), 'utf8');
          const calls = name.endsWith('option-terms.ts')
            ? /^ {2}\w+: '(\w+)'/gm
            : /(?:<TermButton\s[^>]*?\bid=|\bterm\(|\bterm: )['"](\w+)['"]/g;
          return [...source.matchAll(calls)].map(([, id]) => id!);
        }),
    );
    expect(used.length).toBeGreaterThan(20); // fails if the pattern stops matching
    const ids = new Set([...en.map(({ id }) => id)]);
    expect(used.filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe('mistakes are refused', () => {
  const entry = readFileSync(join(root, 'web/docs/entries/add.md'), 'utf8');

  test.each([
    ['no Chinese title', entry.replace(' · 残差相加', '')],
    ['no Chinese text', entry.replace(/## 简体中文[\s\S]*(?=## Source)/, '')],
    ['no notes', entry.replace(/^- [\s\S]*?(?=\n\n## )/gm, '')],
    ['no formula', entry.replaceAll('$$', '')],
    ['no C function', entry.replace(/^functions: .*\n/m, '')],
    ['no symbols', entry.replaceAll(/^\|.*\n/gm, '')],
  ])('an entry with %s', (_what, broken) => {
    expect(() => parseEntry('add', entry)).not.toThrow();
    expect(broken).not.toBe(entry);
    expect(() => parseEntry('add', broken)).toThrow();
  });

  test('a formula that is not LaTeX, and a function that c/ does not define', () => {
    expect(() => renderMath('\\frac{1', true)).toThrow('formula');
    expect(() => renderMath('\\nosuch', false)).toThrow('formula');
    expect(() => code.find('no_such_function')).toThrow('defines no');
    expect(() => code.find('lay_out')).toThrow('more than once');
  });
});
