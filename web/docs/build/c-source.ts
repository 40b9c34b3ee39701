/**
 * The engine's sources for quotation: finds the definition of a function or type with the comment
 * above it, and renders it as HTML. Lines are looked up at build time, so that no page refers to an
 * outdated one.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Excerpt } from '../shown-entry.ts';

interface Definition {
  readonly file: string;
  readonly line: number;
  readonly first: number;
  readonly last: number;
}

export class CSource {
  /** Every file under c/, path to lines, in the order of paths. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly #functions = new Map<string, Definition[]>();
  readonly #types = new Map<string, Definition[]>();

  constructor(folder: string) {
    const files = new Map<string, readonly string[]>();
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => /\.[ch]$/.test(path))
      .sort();
    for (const path of paths) {
      files.set(path, readFileSync(join(folder, path), 'utf8').trimEnd().split('\n'));
    }
    this.files = files;
    for (const [file, lines] of files) this.#index(file, lines);
  }

  /**
   * The definition of a function, or of a type ("struct NAME"). A name defined in several files is
   * given with its file: "train/trainer.c:lay_out".
   */
  find(reference: string): Excerpt {
    const [, file, struct, name] = /^(?:([^:]+):)?(struct )?(\w+)$/.exec(reference) ?? [];
    if (name === undefined) throw new Error(`"${reference}" names no C function`);
    const table = struct === undefined ? this.#functions : this.#types;
    const found = (table.get(name) ?? []).filter((d) => file === undefined || d.file === file);
    const [only] = found;
    if (only === undefined) throw new Error(`c/ defines no "${reference}"`);
    if (found.length > 1) {
      const files = found.map((d) => d.file).join(', ');
      throw new Error(`"${reference}" is defined more than once: ${files}`);
    }
    const lines = this.files.get(only.file)!.slice(only.first, only.last + 1);
    return { name, file: only.file, line: only.line + 1, text: lines.join('\n') };
  }

  #index(file: string, lines: readonly string[]): void {
    lines.forEach((text, line) => {
      const type = /^(?:typedef )?(?:struct|enum) (\w+) \{/.exec(text)?.[1];
      if (type !== undefined) return this.#add(this.#types, type, file, lines, line);
      // clang-format starts every definition at the margin: return type, name, parenthesis.
      const head = text.replace(/__attribute__\(\([^)]*\)\)/, '');
      const name = /^(?!typedef|return|else)[A-Za-z][\w *]*[ *](\w+)\(/.exec(head)?.[1];
      if (name !== undefined && opensBody(lines, line)) {
        this.#add(this.#functions, name, file, lines, line);
      }
    });
  }

  #add(
    table: Map<string, Definition[]>,
    name: string,
    file: string,
    lines: readonly string[],
    line: number,
  ): void {
    let first = line;
    while (first > 0 && /^(\/\*| \*|\/\/)/.test(lines[first - 1]!)) first--;
    let last = line;
    while (last < lines.length - 1 && !lines[last]!.startsWith('}')) last++;
    table.set(name, [...(table.get(name) ?? []), { file, line, first, last }]);
  }
}

/** Whether the declaration at this line has a body, as opposed to ending with a semicolon. */
function opensBody(lines: readonly string[], line: number): boolean {
  for (let i = line; i < lines.length && i < line + 12; i++) {
    if (lines[i]!.endsWith('{')) return true;
    if (lines[i]!.endsWith(';')) return false;
  }
  return false;
}

const KEYWORDS =
  'break case const continue default do else enum extern float for goto if inline int double char ' +
  'bool return short signed size_t sizeof static struct switch typedef union unsigned void while ' +
  'real true false NULL int32_t uint32_t uint64_t uint16_t int64_t';
const KEYWORD = new RegExp(`^(?:${KEYWORDS.replaceAll(' ', '|')})$`);
const TOKEN =
  /(\/\*[\s\S]*?\*\/|\/\/[^\n]*)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')|(^[ \t]*#[^\n]*)|(\b\d[\w.]*\b)|([A-Za-z_]\w*)/gm;

/** Renders C as coloured HTML; no element crosses the end of a line. */
export function highlightC(text: string): string {
  let html = '';
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, comment, string, directive, number, word] = match;
    html += escapeHtml(text.slice(at, match.index));
    at = match.index + whole.length;
    if (comment !== undefined) html += mark('c', whole);
    else if (string !== undefined) html += mark('s', whole);
    else if (directive !== undefined) html += mark('d', whole);
    else if (number !== undefined) html += mark('n', whole);
    else if (word !== undefined && KEYWORD.test(word)) html += mark('k', whole);
    else html += escapeHtml(whole);
  }
  return html + escapeHtml(text.slice(at));
}

function mark(kind: string, text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `<span class="${kind}">${escapeHtml(line)}</span>`))
    .join('\n');
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
