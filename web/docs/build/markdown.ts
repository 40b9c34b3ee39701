/**
 * Markdown as the repository shows it, plus what only the site can do. Formulas stand between dollar
 * signs. A paragraph that is nothing but a link becomes what it links to: an entry, the formula of an
 * entry (when the link is titled "formula"), or the source of a C function; one that is nothing but
 * an image becomes a figure.
 */
import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import { escapeHtml } from './c-source.ts';
import { renderMath } from './math.ts';

/** What a page does with its links; addresses are as written in the Markdown. */
export interface LinkTarget {
  readonly href: string;
  /** Shown when one points at the link. */
  readonly title?: string;
  /** Where the link opens a tab of its own: the words behind its text that say so. */
  readonly newTab?: string;
}

export interface Site {
  /** The address of an inline link; throws when it leads nowhere. */
  link(address: string, text: string): LinkTarget;
  /** What stands in the place of a paragraph that is nothing but this link, or null. */
  block(address: string, text: string, title: string): string | null;
  /** The SVG of a figure. */
  figure(address: string, alternative: string): string;
  /** What stands in the place of a comment, such as the list of all entries, or null. */
  comment(text: string): string | null;
}

export interface Heading {
  readonly level: number;
  readonly html: string;
}

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
  /** One line for everything that must be the same in all languages, in order. */
  readonly structure: readonly string[];
  /** The formulas within the text, sorted. */
  readonly formulas: readonly string[];
}

// Straight quotes become curly ones; nothing else is replaced.
const markdown = new MarkdownIt({ html: true, typographer: true }).disable('replacements');

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? '');

markdown.inline.ruler.before('escape', 'math', (state, silent) => {
  const { src, pos } = state;
  if (src[pos] !== '$') return false;
  const end = src.indexOf('$', pos + 1);
  if (end < 0 || end === pos + 1 || /\s/.test(src[pos + 1]!) || /\s/.test(src[end - 1]!)) {
    return false;
  }
  if (!silent) state.push('math', 'math', 0).content = src.slice(pos + 1, end);
  state.pos = end + 1;
  return true;
});

markdown.renderer.rules.math = (tokens, index) => renderMath(tokens[index]!.content, false);

/** A table may be wider than a phone: it scrolls in a box of its own. */
markdown.renderer.rules.table_open = () => '<div class="table-box" tabindex="0"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';

markdown.renderer.rules.link_open = (tokens, index, _options, env) => {
  const site = (env as { site?: Site }).site;
  const address = attribute(tokens[index]!, 'href');
  if (site === undefined || /^[a-z]+:/.test(address)) {
    return `<a href="${escapeHtml(address)}">`;
  }
  const target = site.link(address, tokens[index + 1]?.content ?? '');
  const title = target.title === undefined ? '' : ` title="${escapeHtml(target.title)}"`;
  if (target.newTab === undefined) return `<a href="${escapeHtml(target.href)}"${title}>`;
  const close = tokens.slice(index).find(({ type }) => type === 'link_close')!;
  close.content = target.newTab;
  return `<a href="${escapeHtml(target.href)}"${title} target="_blank" rel="noopener">`;
};

markdown.renderer.rules.link_close = (tokens, index) => `${escapeHtml(tokens[index]!.content)}</a>`;

/** A line break between Chinese characters is no space, nor is the indent of a list behind it; before a number with a dot it begins an item of a list. */
function joinLines(text: string): string {
  return text
    .replaceAll(/(?<=[\u3001-\u9fff\uff00-\uffef])\n *(?=[\u3001-\u9fff\uff00-\uffef])/g, '')
    .replaceAll(/(?<=[\u3001-\u301f\uff00-\uffef])\n *(?!\d+\. )(?=[\w$`[])/g, '');
}

/** One paragraph or a few words, without the paragraph around a single one. */
export function renderInline(text: string, site: Site): string {
  return markdown.renderInline(joinLines(text), { site });
}

/** Paragraphs and lists, with no headings among them. */
export function renderText(text: string, site: Site): string {
  return markdown.render(joinLines(text), { site });
}

/** The LaTeX of every formula within a text. */
export function formulasOf(text: string): string[] {
  const found: string[] = [];
  for (const token of markdown.parse(text, {})) {
    for (const child of token.children ?? []) if (child.type === 'math') found.push(child.content);
  }
  return found.sort();
}

/** A whole page. `ids` names its headings in order; without it they are named after their text. */
export function renderPage(source: string, site: Site, ids?: readonly string[]): Rendered {
  const text = joinLines(source);
  if (/^\$\$/m.test(text)) {
    throw new Error('a page holds no formula of its own: it belongs to an entry, shown from there');
  }
  const env = { site };
  const tokens = markdown.parse(text, env);
  const headings: Heading[] = [];
  const structure: string[] = [];
  const formulas = formulasOf(text);
  const out: Token[] = [];
  /** Puts finished HTML where the token stands. */
  const replace = (token: Token, html: string): void => {
    Object.assign(token, { type: 'html_block', tag: '', nesting: 0, content: html });
    out.push(token);
  };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.type === 'heading_open') {
      const inline = tokens[i + 1]!;
      const id = ids === undefined ? slug(inline.content) : ids[headings.length];
      if (id === undefined) throw new Error(`one heading too many: "${inline.content}"`);
      const level = Number(token.tag.slice(1));
      token.attrSet('id', id);
      headings.push({ level, html: markdown.renderer.render([inline], markdown.options, env) });
      structure.push(`${token.tag} ${id}`);
    } else if (token.type === 'table_open') {
      const end = tokens.findIndex((t, at) => at > i && t.type === 'table_close');
      const inside = tokens.slice(i, end);
      const count = (type: string): number => inside.filter((t) => t.type === type).length;
      structure.push(`table of ${count('tr_open')} rows and ${count('th_open')} columns`);
    } else if (token.type === 'html_block') {
      const replaced = site.comment(/^<!-- (.+) -->\s*$/.exec(token.content)?.[1] ?? '');
      if (replaced === null) throw new Error(`HTML in a page: ${token.content}`);
      structure.push(token.content.trim());
      replace(token, replaced);
      continue;
    } else if (token.type === 'paragraph_open' && token.level === 0) {
      const children = tokens[i + 1]!.children ?? [];
      const [first, second, third] = children;
      if (children.length === 1 && first?.type === 'image') {
        const address = attribute(first, 'src');
        const caption = markdown.renderInline(attribute(first, 'title'), env);
        const svg = site.figure(address, first.content);
        structure.push(`figure ${address}`);
        replace(
          token,
          `<figure><div class="figure-box" tabindex="0">${svg}</div><figcaption>${caption}</figcaption></figure>\n`,
        );
        i += 2;
        continue;
      }
      if (children.length === 3 && first?.type === 'link_open' && third?.type === 'link_close') {
        const address = attribute(first, 'href');
        const title = attribute(first, 'title');
        const block = site.block(address, second!.content, title);
        if (block !== null) {
          const name = address.includes('/c/') ? ` ${second!.content}` : '';
          structure.push(`shows ${address}${name}${title === '' ? '' : ` as ${title}`}`);
          replace(token, block);
          i += 2;
          continue;
        }
      }
    }
    out.push(token);
  }
  if (ids !== undefined && ids.length > headings.length) {
    throw new Error(`a heading is missing: "${ids[headings.length]!}"`);
  }
  return {
    html: markdown.renderer.render(out, markdown.options, env),
    headings,
    structure,
    formulas,
  };
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
