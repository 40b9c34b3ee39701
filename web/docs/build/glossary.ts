/** The words that the page explains: web/docs/glossary.md, where their form is described. */
import type { Lang } from './words.ts';
import { LANGS } from './words.ts';

export interface Term {
  readonly id: string;
  readonly name: Readonly<Record<Lang, string>>;
  /** Markdown: one paragraph. */
  readonly words: Readonly<Record<Lang, string>>;
  /** Id of the entry that maps it to code. */
  readonly entry: string;
  /** LaTeX of its own; null for none at all, undefined for the entry's. */
  readonly formula: string | null | undefined;
}

/** All terms in their order. Throws on one that lacks a part. */
export function parseGlossary(file: string): Term[] {
  const [, ...sections] = file.replace(/^<!--[\s\S]*?-->/, '').split(/^## /m);
  const terms = sections.map(parseTerm);
  const ids = terms.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new Error(`the term ${twice} stands there twice`);
  return terms;
}

function parseTerm(section: string): Term {
  const [, id, names, body] = /^(\w+): (.+)\n([\s\S]+)$/.exec(section) ?? [];
  if (id === undefined || names === undefined || body === undefined) {
    throw new Error(`cannot read the term "${section.split('\n', 1)[0] ?? ''}"`);
  }
  const [en, zh, ...more] = names.split(' · ');
  if (!en || !zh || more.length > 0) throw new Error(`${id}: needs a name in each language`);
  const entry = /^entry: (\w+)$/m.exec(body)?.[1];
  if (entry === undefined) throw new Error(`${id}: leads to no entry`);
  const own = /^\$\$ (.+) \$\$$/m.exec(body)?.[1];
  const none = /^formula: none$/m.test(body);
  const paragraphs = body
    .replace(/^(entry: .*|formula: .*|\$\$ .*)\n/gm, '')
    .trim()
    .split(/\n{2,}/);
  const [wordsEn, wordsZh] = paragraphs;
  if (paragraphs.length !== LANGS.length || !wordsEn || !wordsZh) {
    throw new Error(`${id}: needs one paragraph in each language`);
  }
  return {
    id,
    name: { en, zh },
    words: { en: wordsEn, zh: wordsZh },
    entry,
    formula: none ? null : own,
  };
}
