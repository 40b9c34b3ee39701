/** Parses the glossary, web/docs/glossary.md, whose format is described there. */
import type { Lang } from './words.ts';
import { LANGS } from './words.ts';

/** Markdown, one paragraph each. */
export interface TermText {
  readonly words: string;
  readonly example: string;
  /** The symbols of the formula; empty if it needs no explanation. */
  readonly symbols: string;
}

export interface Term {
  readonly id: string;
  readonly name: Readonly<Record<Lang, string>>;
  readonly text: Readonly<Record<Lang, TermText>>;
  /** Id of the entry that links it to code. */
  readonly entry: string;
  /** The term's own formula in LaTeX; null for none, undefined for the formula of the entry. */
  readonly formula: string | null | undefined;
}

/** All terms in order; throws if one lacks a part. */
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
  if (paragraphs.length !== LANGS.length) {
    throw new Error(`${id}: needs one paragraph in each language`);
  }
  const [textEn, textZh] = paragraphs.map((paragraph) => parseText(id, paragraph));
  return {
    id,
    name: { en, zh },
    text: { en: textEn!, zh: textZh! },
    entry,
    formula: none ? null : own,
  };
}

/** Parses a paragraph in one language, whose last lines are marked as example and symbols. */
function parseText(id: string, paragraph: string): TermText {
  const marked = (mark: string): string =>
    new RegExp(`^${mark}: (.+)$`, 'm').exec(paragraph)?.[1] ?? '';
  const words = paragraph.replace(/^(example|with): .*$/gm, '').trim();
  const example = marked('example');
  if (words === '' || example === '') throw new Error(`${id}: needs words and an example`);
  return { words, example, symbols: marked('with') };
}
