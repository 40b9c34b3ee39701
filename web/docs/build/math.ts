/** Converts LaTeX to MathML at build time, in a form that the page's content policy allows. */
import temml from 'temml';
import { escapeHtml } from './c-source.ts';

/**
 * Style attributes written by Temml, each with the class in styles/docs.css that replaces it; empty
 * if the style is dropped.
 */
const STYLES: Readonly<Record<string, string>> = {
  'display:block math;': '',
  'math-depth:0;': 'math-depth-0',
  'padding-left:0em;padding-right:0em;': 'math-pad-0',
  'padding-left:1em;padding-right:0em;': 'math-pad-1',
  'padding-left:0.5em;padding-right:0em;': 'math-pad-half',
};

const done = new Map<string, string>();

/** A formula as MathML, with the LaTeX as alternative text; throws if it is invalid. */
export function renderMath(latex: string, display: boolean): string {
  const key = `${display ? 'D' : 'I'}${latex}`;
  const known = done.get(key);
  if (known !== undefined) return known;
  // Inside \mathrm, Temml drops all digits but the first.
  if (/\\mathrm\{[^}]*\d/.test(latex)) throw new Error(`formula "${latex}": digits want \\text`);
  let html: string;
  try {
    html = temml.renderToString(latex, {
      displayMode: display,
      throwOnError: true,
      // \class marks terms that only some models have; the model-parts view shows or hides them.
      trust: ({ command }: { command: string }) => command === '\\class',
    });
  } catch (error) {
    throw new Error(`formula "${latex}": ${(error as Error).message.split('\n')[0]}`, {
      cause: error,
    });
  }
  html = html.replace(/<(\w+)([^>]*?) style="([^"]*)"([^>]*)>/g, (_, tag, before, style, after) => {
    const name = STYLES[String(style)];
    if (name === undefined) throw new Error(`formula "${latex}": no class for "${String(style)}"`);
    const attributes = `${String(before)}${String(after)}`;
    if (name === '') return `<${String(tag)}${attributes}>`;
    return attributes.includes('class="')
      ? `<${String(tag)}${attributes.replace('class="', `class="${name} `)}>`
      : `<${String(tag)}${attributes} class="${name}">`;
  });
  html = html.replace(
    '<math',
    `<math alttext="${escapeHtml(withoutMarks(latex).replaceAll(/\s+/g, ' '))}"`,
  );
  done.set(key, html);
  return html;
}

/**
 * A display formula. Parts separated by \\qquad become separate pieces, which are stacked on a
 * narrow screen.
 */
export function renderFormula(latex: string): string {
  const pieces = piecesOf(latex);
  if (pieces.length === 1) return renderMath(latex, true);
  return pieces
    .map((piece) => `<span class="formula-piece">${renderMath(piece, true)}</span>`)
    .join(' ');
}

/** Splits at every \\qquad outside of braces and environments. */
function piecesOf(latex: string): string[] {
  const pieces: string[] = [];
  let [depth, from] = [0, 0];
  for (const { 0: sign, index } of latex.matchAll(/\\begin\b|\\end\b|\\qquad\b|\\?[{}]/g)) {
    if (sign === '{' || sign === '\\begin') depth++;
    else if (sign === '}' || sign === '\\end') depth--;
    else if (sign === '\\qquad' && depth === 0) {
      pieces.push(latex.slice(from, index).trim());
      from = index + sign.length;
    }
  }
  return [...pieces, latex.slice(from).trim()].filter((piece) => piece !== '');
}

/** The LaTeX without its \class marks. */
function withoutMarks(latex: string): string {
  let out = '';
  for (let at = 0, open: number[] = [], depth = 0; at < latex.length; at++) {
    const mark = /^\\class\{[\w-]+\}\{(?:\{\})?/.exec(latex.slice(at))?.[0];
    if (mark !== undefined) {
      depth++;
      open = [...open, depth];
      at += mark.length - 1;
      continue;
    }
    const character = latex[at]!;
    if (character === '{') depth++;
    if (character === '}' && open.at(-1) === depth) open = open.slice(0, -1);
    else out += character;
    if (character === '}') depth--;
  }
  return out;
}
