/**
 * The documentation as HTML pages: every page of web/docs in every language, and every file of the
 * engine with numbered lines. Pages need no scripts and contain no styles.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesOf } from '../../base/instrument.ts';
import { readCallWords } from '../../embed/build/frame-schema.ts';
import type { CallWords } from '../../embed/build/frame-schema.ts';
import { foldersIn, readInstruments } from '../../embed/build/instruments.ts';
import type { Call } from '../../engine/interface/call.ts';
import { HOST } from '../../store/host/host.ts';
import { CSource, escapeHtml, highlightC } from './c-source.ts';
import { readEntries } from './entries.ts';
import type { Entry } from './entries.ts';
import { inlineSvg, readFigureWords, translateFigure } from './figures.ts';
import { parseGlossary } from './glossary.ts';
import type { Term } from './glossary.ts';
import { renderInline, renderPage, renderText } from './markdown.ts';
import type { LinkTarget, Rendered, Site } from './markdown.ts';
import { renderFormula } from './math.ts';
import { STAGES } from './stages.ts';
import { tapeOps } from './tape-ops.ts';
import type { Excerpt, ShownEntry } from '../shown-entry.ts';
import type { ShownTerm, TermFormulas } from '../shown-term.ts';
import { layout } from './template.ts';
import type { NavPage } from './template.ts';
import { LANGS, PAGES, WORDS } from './words.ts';
import type { Lang } from './words.ts';

export interface Docs {
  /** HTML by path in the site, such as "docs/en/index.html". */
  readonly pages: ReadonlyMap<string, string>;
  readonly entries: ReadonlyMap<string, Entry>;
  /** The rendered pages, whose structure must be the same in all languages. */
  readonly rendered: Readonly<Record<Lang, ReadonlyMap<string, Rendered>>>;
  /** The page with the full text of each entry. */
  readonly homes: ReadonlyMap<string, string>;
  readonly shown: Readonly<Record<Lang, readonly ShownEntry[]>>;
  /** The terms that the app explains. */
  readonly terms: Readonly<Record<Lang, readonly ShownTerm[]>>;
  readonly termFormulas: TermFormulas;
}

const LESSON_LINK = /\/embed\.html#/;
const ENTRY_LINK = /^\.\.\/entries\/(\w+)\.md$/;

/** Builds everything from the repository at `root`; an error names its page. */
export function buildDocs(root: string): Docs {
  const folder = join(root, 'web/docs');
  const code = new CSource(join(root, 'c'));
  const entries = readEntries(join(folder, 'entries'));
  for (const entry of entries.values()) checkFunctions(entry, code);
  const markdown = pagesOf(root);
  const homes = findHomes((page) => markdown('en', page), entries);

  const terms = parseGlossary(readFileSync(join(folder, 'glossary.md'), 'utf8'));
  for (const { id, entry } of terms) {
    if (!homes.has(entry)) throw new Error(`glossary.md: ${id} leads to no entry: ${entry}`);
  }

  const pages = new Map<string, string>();
  const rendered = { en: new Map<string, Rendered>(), zh: new Map<string, Rendered>() };
  const shown: Record<Lang, ShownEntry[]> = { en: [], zh: [] };
  for (const lang of LANGS) {
    for (const page of PAGES) {
      try {
        const site = siteOf({ folder, lang, page, code, entries, homes, terms });
        const ids = lang === 'en' ? undefined : headingIds(rendered.en.get(page)!);
        rendered[lang].set(page, renderPage(markdown(lang, page), site, ids));
      } catch (error) {
        throw new Error(`docs/${lang}/${page}.md: ${(error as Error).message}`, { cause: error });
      }
    }
    const nav = PAGES.map((page): NavPage => ({
      page,
      headings: rendered[lang].get(page)!.headings,
      ids: headingIds(rendered.en.get(page)!),
    }));
    for (const page of PAGES) {
      const html = rendered[lang].get(page)!.html;
      pages.set(`docs/${lang}/${page}.html`, layout({ lang, page, html, nav }));
    }
    for (const entry of entries.values()) {
      const page = homes.get(entry.id) ?? 'index';
      const site = siteOf({ folder, lang, page, code, entries, homes, terms });
      shown[lang].push(showEntry(entry, lang, site, code, page));
    }
  }
  pages.set('docs/index.html', layout({ lang: null }));
  for (const [file, lines] of code.files) {
    pages.set(`docs/source/${file}.html`, layout({ file, lines: highlightC(lines.join('\n')) }));
  }
  const termFormulas = Object.fromEntries(
    terms.flatMap((term) => {
      const formula = formulaOf(term, entries.get(term.entry)!);
      return formula === null ? [] : [[term.id, formula]];
    }),
  );
  const termsIn = (lang: Lang): ShownTerm[] => {
    const site = siteOf({ folder, lang, page: '', code, entries, homes, terms });
    return terms.map((term) => {
      const entry = entries.get(term.entry)!;
      return showTerm(term, entry, lang, site, `docs/${lang}/${homes.get(term.entry)!}.html`);
    });
  };
  return {
    pages,
    entries,
    rendered,
    homes,
    shown,
    terms: { en: termsIn('en'), zh: termsIn('zh') },
    termFormulas,
  };
}

/**
 * Reads pages as Markdown. Replaces `{{names.view}}` by the ids of the tabs, `{{names.show}}` and
 * `{{names.lock}}` by ids of panels, `{{host.calls}}` by the table of a host's calls, and any other `{{name}}` by the number of that name in
 * lesson-figures.json, which tests/lessons.test.ts computes.
 */
export function pagesOf(root: string): (lang: Lang, page: string) => string {
  const folder = join(root, 'web/docs');
  const values = new Map(
    Object.entries(
      JSON.parse(readFileSync(join(folder, 'lesson-figures.json'), 'utf8')) as object,
    ) as [string, string][],
  );
  const names = Object.entries(namesOf(readInstruments(foldersIn(root))));
  const calls = readCallWords(root);
  return (lang, page) => {
    values.set('host.calls', callRows(calls, lang));
    for (const [parameter, ids] of names) {
      const list = ids.map((id) => `\`${id}\``).join(lang === 'zh' ? '、' : ', ');
      values.set(`names.${parameter}`, list);
    }
    const text = readFileSync(join(folder, lang, `${page}.md`), 'utf8');
    return text.replace(/\{\{([\w.]+)\}\}/g, (_, name: string) => {
      const value = values.get(name);
      if (value === undefined) throw new Error(`lesson-figures.json has no number ${name}`);
      return value;
    });
  };
}

/** Rows of a table: each call of a host with its arguments, what it does, and where. */
function callRows(words: CallWords, lang: Lang): string {
  return (Object.keys(HOST) as (keyof typeof HOST)[])
    .map((name) => {
      const { args, atAnyStep }: Call = HOST[name];
      const given = args.map((arg) => arg.split(': ')[0]!).filter((arg) => arg !== 'onProgress?');
      return `| \`${name}(${given.join(', ')})\`${atAnyStep === true ? ' *' : ''} | ${words[name][lang]} |`;
    })
    .join('\n');
}

function checkFunctions(entry: Entry, code: CSource): void {
  for (const name of entry.functions) {
    try {
      code.find(name);
    } catch (error) {
      throw new Error(`entries/${entry.id}.md: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** Finds the page with the full text of each entry; throws if an entry has two. */
function findHomes(
  markdown: (page: string) => string,
  entries: ReadonlyMap<string, Entry>,
): Map<string, string> {
  const homes = new Map<string, string>();
  for (const page of PAGES) {
    for (const [, id] of markdown(page).matchAll(/^\[[^\]]+\]\(\.\.\/entries\/(\w+)\.md\)$/gm)) {
      const other = homes.get(id!);
      if (other !== undefined) throw new Error(`entry ${id!} stands on ${other} and on ${page}`);
      if (!entries.has(id!)) throw new Error(`docs/en/${page}.md shows no known entry: ${id!}`);
      homes.set(id!, page);
    }
  }
  return homes;
}

function headingIds(page: Rendered): string[] {
  return page.structure.flatMap((line) => /^h\d (.+)$/.exec(line)?.[1] ?? []);
}

interface Place {
  readonly folder: string;
  readonly lang: Lang;
  readonly page: string;
  readonly code: CSource;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly homes: ReadonlyMap<string, string>;
  readonly terms: readonly Term[];
}

/** Resolves links and images of a page. */
function siteOf(place: Place): Site {
  const { folder, lang, page, code, entries, homes, terms } = place;
  const words = WORDS[lang];
  const entryOf = (address: string): Entry | null => {
    const id = ENTRY_LINK.exec(address)?.[1];
    if (id === undefined) return null;
    const entry = entries.get(id);
    if (entry === undefined) throw new Error(`there is no entry ${id}`);
    return entry;
  };
  const entryHref = (id: string): string => {
    const home = homes.get(id);
    if (home === undefined) throw new Error(`entry ${id} stands on no page`);
    return `${home === page ? '' : `${home}.html`}#${id}`;
  };
  /**
   * The definition that a link into c/ names by its text; line 0 if the link names the whole file,
   * null if it leads elsewhere.
   */
  const excerptOf = (address: string, text: string): Excerpt | null => {
    const file = /^(?:\.\.\/)+c\/(.+)$/.exec(address)?.[1];
    if (file === undefined) return null;
    if (!code.files.has(file)) throw new Error(`there is no c/${file}`);
    if (!/^(struct )?\w+$/.test(text)) return { name: text, file, line: 0, text: '' };
    return code.find(`${file}:${text}`);
  };
  const site: Site = {
    link(address, text): LinkTarget {
      const entry = entryOf(address);
      if (entry !== null) {
        return { href: entryHref(entry.id), title: entry.text[lang].title };
      }
      const excerpt = excerptOf(address, text);
      if (excerpt !== null) {
        const { file, line } = excerpt;
        const at = line === 0 ? '' : `#L${line}`;
        return { href: `../source/${file}.html${at}`, title: placeOf(lang, file, line) };
      }
      // Opens a lesson in a new tab, because the reader also needs this page, which has the task.
      if (LESSON_LINK.test(address)) return { href: address, newTab: words.newTab };
      return { href: address.replace(/^([\w-]+)\.md(?=#|$)/, '$1.html') };
    },
    block(address, text, title) {
      const entry = entryOf(address);
      if (entry !== null) {
        if (title === '') return entryCard(entry, lang, site, code);
        return formulaQuote(entry, lang, title, entryHref(entry.id));
      }
      const excerpt = excerptOf(address, text);
      return excerpt === null || excerpt.line === 0 ? null : excerptDetails(excerpt, lang);
    },
    figure(address, alternative) {
      const path = join(folder, lang, address);
      if (!existsSync(path)) throw new Error(`there is no figure ${address}`);
      const svg = translateFigure(readFileSync(path, 'utf8'), lang, readFigureWords(path));
      return inlineSvg(svg, alternative);
    },
    comment(text) {
      if (text === 'glossary') return glossaryList(terms, lang, entries, homes, site, words);
      if (text !== 'ops' && text !== 'stages') return null;
      return entryTable(text, lang, entries, homes, code, words);
    },
  };
  return site;
}

function placeOf(lang: Lang, file: string, line: number): string {
  if (line === 0) return `c/${file}`;
  return lang === 'zh' ? `c/${file}，第 ${line} 行` : `c/${file}, line ${line}`;
}

function showEntry(entry: Entry, lang: Lang, site: Site, code: CSource, home: string): ShownEntry {
  const text = entry.text[lang];
  return {
    id: entry.id,
    op: entry.op,
    title: text.title,
    words: renderText(text.words, site),
    notes: text.notes.map((note) => renderInline(note, site)),
    formula: renderFormula(entry.formula),
    backward: entry.backward === null ? null : renderFormula(entry.backward),
    symbols: entry.symbols.map((s) => ({
      symbol: renderInline(s.symbol, site),
      // Writes the shape 1 in words, because readers would mistake it for a value.
      shape: s.shape === '`1`' ? WORDS[lang].scalar : renderInline(s.shape, site),
      meaning: renderInline(s.meaning[lang], site),
    })),
    functions: entry.functions.map((name) => code.find(name)),
    source: entry.source === null ? null : renderInline(entry.source, site),
    href: `docs/${lang}/${home}.html#${entry.id}`,
  };
}

function showTerm(term: Term, entry: Entry, lang: Lang, site: Site, page: string): ShownTerm {
  const { words, example, symbols } = term.text[lang];
  return {
    id: term.id,
    name: term.name[lang],
    words: `${renderText(words, site)}<p class="example">${renderInline(example, site)}</p>`,
    symbols: symbols === '' ? '' : renderText(symbols, site),
    entry: renderInline(entry.text[lang].title, site),
    href: `${page}#${entry.id}`,
  };
}

/** The formula of a term, by default that of its entry, as MathML; null if the term has none. */
function formulaOf(term: Term, entry: Entry): string | null {
  const latex = term.formula === undefined ? entry.formula : term.formula;
  return latex === null ? null : renderFormula(latex);
}

/** All terms, for the glossary page. */
function glossaryList(
  terms: readonly Term[],
  lang: Lang,
  entries: ReadonlyMap<string, Entry>,
  homes: ReadonlyMap<string, string>,
  site: Site,
  words: (typeof WORDS)[Lang],
): string {
  const rows = terms.map((term) => {
    const entry = entries.get(term.entry)!;
    const shown = showTerm(term, entry, lang, site, `${homes.get(term.entry)!}.html`);
    const formula = formulaOf(term, entry);
    const box =
      formula === null ? '' : `<div class="formula-box">${formula}</div>\n${shown.symbols}`;
    return (
      `<dt id="term-${shown.id}">${escapeHtml(shown.name)}</dt>\n<dd>${shown.words}${box}` +
      `<p class="paper"><span class="label">${words.code}</span> <a href="${shown.href}">${shown.entry}</a></p></dd>`
    );
  });
  return `<dl class="glossary">\n${rows.join('\n')}\n</dl>\n`;
}

/** The full text of an entry. */
function entryCard(entry: Entry, lang: Lang, site: Site, code: CSource): string {
  const words = WORDS[lang];
  const e = showEntry(entry, lang, site, code, '');
  const kind = entry.op === null ? words.stage : `${words.op} <code>${escapeHtml(entry.op)}</code>`;
  /** A single formula needs no label. */
  const formula = (label: string, html: string): string =>
    `<div class="formula">${e.backward === null ? '' : `<p class="label">${label}</p>`}` +
    `<div class="formula-box">${html}</div></div>`;
  const symbols = e.symbols
    .map(
      (s) =>
        `<tr><th scope="row">${s.symbol}</th><td class="shape">${s.shape}</td>` +
        `<td>${s.meaning}</td></tr>`,
    )
    .join('');
  const paper =
    e.source === null
      ? ''
      : `<p class="paper"><span class="label">${words.source}</span> ${e.source}</p>\n`;
  return `<section class="entry" id="${entry.id}" aria-labelledby="${entry.id}-title">
<header><h3 id="${entry.id}-title"><a href="#${entry.id}">${renderInline(e.title, site)}</a></h3>
<p class="kind">${kind}</p></header>
<div class="words">${e.words}</div>
<div class="formulas">${formula(words.forward, e.formula)}${
    e.backward === null ? '' : formula(words.backward, e.backward)
  }</div>
<div class="aside"><table class="symbols"><thead class="visually-hidden"><tr><th>${words.symbol}</th>
<th>${words.shape}</th><th>${words.meaning}</th></tr></thead><tbody>${symbols}</tbody></table></div>
<ul class="notes">${e.notes.map((note) => `<li>${note}</li>`).join('')}</ul>
<div class="code"><p class="label">${words.code}</p>${e.functions
    .map((excerpt) => excerptDetails(excerpt, lang))
    .join('')}</div>
${paper}</section>
`;
}

/** The forward or backward formula of an entry whose full text is elsewhere. */
function formulaQuote(entry: Entry, lang: Lang, title: string, href: string): string {
  const latex = title === 'formula' ? entry.formula : title === 'backward' ? entry.backward : null;
  if (latex === null) throw new Error(`entry ${entry.id} has no "${title}"`);
  return (
    `<figure class="quote"><div class="formula-box">${renderFormula(latex)}</div>` +
    `<figcaption><a href="${href}">${entry.text[lang].title}</a></figcaption></figure>\n`
  );
}

/** The source of a function or type, folded. */
function excerptDetails(excerpt: Excerpt, lang: Lang): string {
  const { name, file, line } = excerpt;
  const at = escapeHtml(placeOf(lang, file, line));
  return `<details class="excerpt"><summary><code>${name}</code> <span class="where">${at}</span></summary>
<pre tabindex="0"><code>${highlightC(excerpt.text)}</code></pre>
<p><a href="../source/${file}.html#L${line}">${WORDS[lang].wholeFile}</a></p></details>
`;
}

/** A name from the code with line-break opportunities between its words. */
const breakable = (name: string): string => name.replaceAll(/[_/](?=.)/g, '$&<wbr>');

/** Table of all ops or stages: entry, C function, place in the code. */
function entryTable(
  kind: 'ops' | 'stages',
  lang: Lang,
  entries: ReadonlyMap<string, Entry>,
  homes: ReadonlyMap<string, string>,
  code: CSource,
  words: (typeof WORDS)[Lang],
): string {
  const byOp = new Map([...entries.values()].map((entry) => [entry.op, entry]));
  const chosen =
    kind === 'ops'
      ? tapeOps(code).flatMap((op) => byOp.get(op.name) ?? [])
      : STAGES.flatMap((id) => entries.get(id) ?? []);
  const rows = chosen.map((entry) => {
    const { name, file, line } = code.find(entry.functions[0]!);
    const href = `${homes.get(entry.id) ?? ''}.html#${entry.id}`;
    return (
      `<tr><th scope="row"><a href="${href}">${escapeHtml(entry.text[lang].title)}</a></th>` +
      `<td><code>${breakable(name)}</code></td>` +
      `<td><a href="../source/${file}.html#L${line}">${breakable(placeOf(lang, file, line))}</a></td></tr>`
    );
  });
  return (
    `<div class="table-box" tabindex="0"><table class="entries"><thead><tr><th>${words.entry}</th>` +
    `<th>${words.function}</th><th>${words.code}</th></tr></thead>` +
    `<tbody>${rows.join('\n')}</tbody></table></div>\n`
  );
}
