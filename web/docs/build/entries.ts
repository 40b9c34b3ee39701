/**
 * Parses the entries of the documentation, web/docs/entries/<id>.md, one per op and stage. An entry
 * contains its formula once and its text in every language.
 *
 *     ---
 *     op: softmax                         (the name on the tape; left out for a stage)
 *     functions: softmax_forward ...      (where the formula is computed; "struct tensor" for a type)
 *     ---
 *     # Softmax · Softmax 归一化           (title in English · in Chinese)
 *     $$ ... $$                           (the formula; a second one is its backward pass)
 *     | Symbol | Shape | Meaning | 含义 |
 *     ## English                          (plain words, then a list of notes)
 *     ## 简体中文
 *     ## Source                           (optional)
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LANGS } from './words.ts';
import type { Lang } from './words.ts';

export interface EntryText {
  readonly title: string;
  /** Markdown: paragraphs in plain words. */
  readonly words: string;
  /** Markdown: one note each. */
  readonly notes: readonly string[];
}

export interface EntrySymbol {
  readonly symbol: string;
  readonly shape: string;
  readonly meaning: Readonly<Record<Lang, string>>;
}

export interface Entry {
  readonly id: string;
  /** Name of the op on the tape, or null for a stage. */
  readonly op: string | null;
  /** C functions and types; the table of entries names only the first. */
  readonly functions: readonly string[];
  /** LaTeX. */
  readonly formula: string;
  readonly backward: string | null;
  readonly symbols: readonly EntrySymbol[];
  readonly text: Readonly<Record<Lang, EntryText>>;
  /** Markdown, the same in all languages: the paper, if there is one. */
  readonly source: string | null;
}

const HEADINGS: Readonly<Record<string, Lang | 'source'>> = {
  English: 'en',
  简体中文: 'zh',
  Source: 'source',
};

/** All entries by id; throws if one lacks a part. */
export function readEntries(folder: string): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.md')) continue;
    const id = name.slice(0, -3);
    try {
      entries.set(id, parseEntry(id, readFileSync(join(folder, name), 'utf8')));
    } catch (error) {
      throw new Error(`entries/${name}: ${(error as Error).message}`, { cause: error });
    }
  }
  return entries;
}

export function parseEntry(id: string, file: string): Entry {
  const [, front, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(file) ?? [];
  if (front === undefined || body === undefined) throw new Error('no front matter');
  const fields = new Map(
    front.split('\n').map((line) => {
      const [, key, value] = /^(\w+): (.+)$/.exec(line) ?? [];
      if (key === undefined || value === undefined) throw new Error(`cannot read "${line}"`);
      return [key, value.trim()] as const;
    }),
  );
  const functions = (fields.get('functions') ?? '').split(/, */).filter((name) => name !== '');
  if (functions.length === 0) throw new Error('names no C function');

  const parts = new Map<string, string>();
  const [head = '', ...sections] = body.split(/^## /m);
  for (const section of sections) {
    const [title = ''] = section.split('\n', 1);
    const key = HEADINGS[title.trim()];
    if (key === undefined) throw new Error(`unknown heading "${title}"`);
    parts.set(key, section.slice(title.length).trim());
  }
  const part = (key: string): string => {
    const text = parts.get(key);
    if (text === undefined || text === '') throw new Error(`has no text under "${key}"`);
    return text;
  };
  const titles = (/^# (.+)$/m.exec(head)?.[1] ?? '').split(' · ');
  if (titles.length !== LANGS.length) throw new Error('the title is not in every language');
  const formulas = [...head.matchAll(/^\$\$\n([\s\S]*?)\n\$\$$/gm)].map((match) => match[1]!);
  const [formula, backward] = formulas;
  if (formula === undefined || formulas.length > 2) throw new Error('needs one or two formulas');

  return {
    id,
    op: fields.get('op') ?? null,
    functions,
    formula,
    backward: backward ?? null,
    symbols: parseSymbols(head),
    text: {
      en: parseText(titles[0]!, part('en')),
      zh: parseText(titles[1]!, part('zh')),
    },
    source: parts.get('source') ?? null,
  };
}

function parseText(title: string, text: string): EntryText {
  const [words = '', ...notes] = text.split(/^- /m);
  if (words.trim() === '') throw new Error(`"${title}" has no plain words`);
  if (notes.length === 0) throw new Error(`"${title}" has no notes`);
  return {
    title,
    words: words.trim(),
    notes: notes.map((note) => note.trim().replaceAll(/\n\s*/g, '\n')),
  };
}

function parseSymbols(head: string): EntrySymbol[] {
  const rows = head.split('\n').filter((line) => line.startsWith('|'));
  if (rows.length < 3) throw new Error('has no table of symbols');
  return rows.slice(2).map((row) => {
    const [symbol, shape, en, zh, ...more] = row
      .slice(1, row.lastIndexOf('|'))
      .split('|')
      .map((cell) => cell.trim());
    if (!symbol || shape === undefined || !en || !zh || more.length > 0) {
      throw new Error(`this row needs four cells: ${row}`);
    }
    return { symbol, shape, meaning: { en, zh } };
  });
}
