/**
 * Collects the instruments of a form of the page: the folders of web/instruments and web/page that
 * have an `instrument.json` (see `InstrumentFile`). The name of the folder is the id. The plugin
 * generates virtual modules, style sheets and a menu:
 *
 * - `virtual:instruments`: the descriptors of all instruments, including those of other forms
 * - `virtual:panels`: the code of this form's instruments
 * - `virtual:words/LANG` and `virtual:words/LANG-later`: their words, and those of web/i18n/LANG
 * - `virtual:words/loaders` and `virtual:words/all`: both parts of every language, on demand or
 *   whole
 * - the options of the menu of languages in index.html
 * - `@instruments first;` and `@instruments later;` in a style sheet of web/styles: their styles
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { COLUMNS, isTab, TAB_GROUPS } from '../../base/instrument.ts';
import type { Instrument } from '../../base/instrument.ts';
import { LANGUAGES } from '../../i18n/languages.ts';
import type { Language } from '../../i18n/languages.ts';

/**
 * Content of an instrument.json: `Instrument` without the members that the build adds, and with
 * members that only the build reads.
 */
interface InstrumentFile extends Omit<Instrument, 'id' | 'isHere'> {
  /**
   * Title of a tab by language, which every form has as the text `ID.title` of the first screen.
   * English replaces a missing title.
   */
  readonly title?: Readonly<Record<string, string>>;
  /** Features, by their names in base/form.ts: a form that lacks one has no such instrument. */
  readonly needs?: readonly string[];
  /** When the words and styles load; by default with the code of the panel. */
  readonly words?: 'first' | 'later';
  /** Further word files by suffix (`more`: en-more.ts), each with the features that it needs. */
  readonly more?: Readonly<Record<string, readonly string[]>>;
}

interface Found extends InstrumentFile {
  readonly id: string;
  readonly folder: string;
}

const MEMBERS: Readonly<Record<keyof InstrumentFile, 'number' | 'string' | 'object' | 'boolean'>> =
  {
    place: 'string',
    order: 'number',
    comes: 'string',
    title: 'object',
    lesson: 'object',
    locked: 'string',
    site: 'boolean',
    follows: 'string',
    shows: 'boolean',
    explains: 'boolean',
    report: 'number',
    aliases: 'object',
    needs: 'object',
    words: 'string',
    more: 'object',
  };

const PLACES: readonly string[] = [...COLUMNS, ...TAB_GROUPS, 'around'];
const placeOf = ({ place, order = 0 }: Found): number => 100 * PLACES.indexOf(place) + order;

/** Folders with folders of instruments. Tour and glossary are instruments outside of the panels. */
export const foldersIn = (root: string): string[] => [
  join(root, 'web/instruments'),
  join(root, 'web/page'),
];

/** Languages without missing texts. */
const WHOLE = Object.entries<Language>(LANGUAGES).flatMap(([lang, { isPartial }]) =>
  isPartial ? [] : [lang],
);

/**
 * Reads the `instrument.json` at `file`; throws if it is invalid or a file of the folder is
 * missing.
 */
function readInstrument(file: string): Found {
  const told = JSON.parse(readFileSync(file, 'utf8')) as InstrumentFile;
  const folder = dirname(file);
  const id = basename(folder);
  for (const [name, value] of Object.entries(told)) {
    const type = (MEMBERS as Readonly<Record<string, string>>)[name];
    if (type === undefined) throw new Error(`${file}: an instrument has no member ${name}`);
    if (typeof value !== type) throw new Error(`${file}: ${name} is no ${type}`);
  }
  if (!PLACES.includes(told.place)) {
    throw new Error(`${file}: write "place" as one of ${PLACES.join(', ')}`);
  }
  if (isTab(told) && (told.lesson ?? told.comes) !== undefined) {
    throw new Error(
      `${file}: a tab has no "comes", and no "lesson": lessons open it by view=${id}`,
    );
  }
  for (const lang of WHOLE) {
    if (isTab(told) && typeof told.title?.[lang] !== 'string') {
      throw new Error(`${file}: write the title of the tab: "title": { "${lang}": "…" }`);
    }
    for (const name of ['', ...Object.keys(told.more ?? {}).map((name) => `-${name}`)]) {
      const words = join(folder, `words/${lang}${name}.ts`);
      if (existsSync(dirname(words)) && !existsSync(words)) {
        throw new Error(`${words} is missing: write the words of ${id} in every language`);
      }
    }
  }
  if (told.place !== 'around' && !existsSync(join(folder, `${id}.tsx`))) {
    throw new Error(`${join(folder, `${id}.tsx`)} is missing: write the component of ${id} there`);
  }
  return { ...told, id, folder };
}

/** All instruments, in the order of their places. */
export function readInstruments(folders: readonly string[]): Found[] {
  return folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => basename(file) === 'instrument.json')
    .map(readInstrument)
    .sort((one, other) => placeOf(one) - placeOf(other));
}

/** Path of the module that creates the panel; null for an instrument without a panel. */
function entryOf({ id, folder }: Found): string | null {
  const file = join(folder, `${id}.tsx`);
  return existsSync(file) ? file : null;
}

/** Returns the exported name that matches `pattern`. Throws if the file has no such export. */
function exported(file: string, pattern: RegExp): string {
  const found = pattern.exec(readFileSync(file, 'utf8'))?.[1];
  if (found === undefined) throw new Error(`${file} exports nothing like ${pattern.source}`);
  return found;
}

/** The page with the options of its menu of languages. */
export function withMenu(
  html: string,
  languages: Readonly<Record<string, Language>> = LANGUAGES,
): string {
  const options = Object.entries(languages).map(
    ([lang, { tag, name }]) => `<option value="${lang}" lang="${tag}">${name}</option>`,
  );
  return html.replace(/(?<=<select id="lang"[^>]*>)/, options.join(''));
}

/** Files of web/i18n/LANG that belong only to forms with certain features (base/form.ts). */
const SHARED_NEEDS: Readonly<Record<string, readonly string[]>> = {
  links: ['LINKS'],
  // Forms that open links are pages of their own.
  header: ['LINKS'],
};

/**
 * `has`: the features of the form, by their names in base/form.ts; null for all. `more`: further
 * folders with folders `instruments` and `i18n`. `languages`: the table, if the form has another
 * one.
 */
export function instruments(
  root: string,
  has: readonly string[] | null = null,
  more: readonly string[] = [],
  languages: Readonly<Record<string, Language>> = LANGUAGES,
): Plugin {
  const web = join(root, 'web');
  const places = [web, ...more];
  const folders = [...foldersIn(root), ...more.map((place) => join(place, 'instruments'))];
  const lacks = (needs: readonly string[] = []): boolean =>
    has !== null && needs.some((name) => !has.includes(name));
  const isFirst = ({ words, comes }: Found): boolean =>
    (words ?? (comes === 'first' || comes === 'soon' ? 'first' : 'later')) === 'first';
  const here = (): Found[] => readInstruments(folders).filter(({ needs }) => !lacks(needs));

  const data = (): string =>
    `export default ${JSON.stringify(
      readInstruments(folders).map(({ needs, ...told }) => ({ ...told, isHere: !lacks(needs) })),
      // Drops the members that only the build reads.
      (name, value: unknown) =>
        ['folder', 'title', 'words', 'more'].includes(name) ? undefined : value,
    )};`;

  const panels = (): string => {
    const code: string[] = [];
    const loads: string[] = [];
    const reports: string[] = [];
    for (const one of here()) {
      const entry = entryOf(one);
      if (entry !== null) {
        const name = exported(entry, /^export (?:const|\{ \w+ as) (create\w*)/m);
        if (one.comes === 'first' || one.comes === 'soon') {
          code.push(`import { ${name} as panel${String(code.length)} } from '${entry}';`);
          loads.push(`'${one.id}': { create: panel${String(code.length - 1)} },`);
        } else {
          loads.push(
            `'${one.id}': { load: () => import('${entry}').then((m) => m.${name}), ` +
              `preload: () => import('${entry}').then((m) => m.preload) },`,
          );
        }
      }
    }
    const reporting = here().filter(({ report }) => report !== undefined);
    for (const { folder } of reporting.sort((a, b) => a.report! - b.report!)) {
      const file = join(folder, 'report-section.tsx');
      const name = exported(file, /^export const (\w+Section): MakeSection/m);
      reports.push(`() => import('${file}').then((m) => m.${name}),`);
    }
    return [
      ...code,
      `export const CODE = {${loads.join('\n')}};`,
      `export const REPORTS = [${reports.join('\n')}];`,
    ].join('\n');
  };

  /** Files of web/i18n/LANG. A language without any would be English under another name. */
  const sharedWords = (lang: string): string[] => {
    const found = places
      .map((place) => join(place, 'i18n', lang))
      .filter(existsSync)
      .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
    if (found.length === 0) throw new Error(`there are no words in web/i18n/${lang}`);
    return found.filter((file) => !lacks(SHARED_NEEDS[basename(file, '.ts')]));
  };

  const words = (lang: string, first: boolean): string => {
    const files = here().flatMap((one) => {
      if (isFirst(one) !== first) return [];
      const more = Object.entries(one.more ?? {}).filter(([, needs]) => !lacks(needs));
      return ['', ...more.map(([name]) => `-${name}`)]
        .map((ending) => join(one.folder, `words/${lang}${ending}.ts`))
        .filter((file) => existsSync(languages[lang]?.isPartial === true ? file : dirname(file)));
    });
    if (first) files.unshift(...sharedWords(lang));
    const names = files.map((file) => exported(file, /^export const (\w+)/m));
    const imports = files.map(
      (file, at) => `import { ${names[at]!} as w${String(at)} } from '${file}';`,
    );
    const titles = readInstruments(folders).flatMap(({ id, title }) =>
      first && title?.[lang] !== undefined ? [[`${id}.title`, title[lang]]] : [],
    );
    const spread = files.map((_, at) => `...w${String(at)},`).join('');
    const rest = JSON.stringify(Object.fromEntries(titles));
    return `${imports.join('\n')}\nexport default {${spread}...${rest}};`;
  };

  const load = (lang: string): string => `() => import('virtual:words/${lang}').then(textsOf)`;
  const loaders = (): string => {
    const parts = Object.keys(languages).map(
      (lang) => `${lang}: { first: ${load(lang)}, later: ${load(`${lang}-later`)} },`,
    );
    return `const textsOf = (words) => words.default;\nexport default {${parts.join('\n')}};`;
  };

  const allWords = (): string => {
    const langs = Object.keys(languages);
    const imports = langs.flatMap((lang) => [
      `import ${lang} from 'virtual:words/${lang}';`,
      `import ${lang}Later from 'virtual:words/${lang}-later';`,
    ]);
    const parts = langs.map((lang) => `${lang}: {...${lang}, ...${lang}Later},`);
    return `${imports.join('\n')}\nexport default {${parts.join('\n')}};`;
  };

  const styles = (first: boolean, from: string): string =>
    here()
      .filter((one) => isFirst(one) === first)
      .map(({ folder }) => join(folder, 'style.css'))
      .filter(existsSync)
      .map((file) => `@import '${relative(dirname(from), file)}';`)
      .join('\n');

  return {
    name: 'instruments',
    enforce: 'pre',
    transformIndexHtml: { order: 'pre', handler: (html) => withMenu(html, languages) },
    resolveId: (id) => (/^virtual:(instruments|panels|words\/[\w-]+)$/.test(id) ? `\0${id}` : null),
    load(id) {
      if (id === '\0virtual:instruments') return data();
      if (id === '\0virtual:panels') return panels();
      if (id === '\0virtual:words/loaders') return loaders();
      if (id === '\0virtual:words/all') return allWords();
      const [, lang, later] = /^\0virtual:words\/(\w+?)(-later)?$/.exec(id) ?? [];
      if (lang !== undefined) return words(lang, later === undefined);
      const file = id.replace(/\?.*/, '');
      if (!file.startsWith(join(web, 'styles')) || !file.endsWith('.css')) return null;
      const source = readFileSync(file, 'utf8');
      if (!source.includes('@instruments ')) return null;
      return source.replace(/@instruments (first|later);/g, (_, when) =>
        styles(when === 'first', file),
      );
    },
  };
}
