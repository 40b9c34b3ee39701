/**
 * Renders Markdown with extensions of the site. Formulas are between dollar signs. A paragraph that
 * is a single link becomes its target: an entry, a formula of an entry (if the link has the title
 * "formula" or "backward"), or the source of a C function; a single image becomes a figure.
 */
import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import { escapeHtml } from './c-source.ts';
import { renderMath } from './math.ts';

/** The target of a link in HTML. */
export interface LinkTarget {
  readonly href: string;
  /** Tooltip of the link. */
  readonly title?: string;
  /** Text after a link that opens a new tab. */
  readonly newTab?: string;
}

export interface Site {
  /**
   * Resolves an inline link as written in Markdown; throws if it names an unknown entry or C file.
   */
  link(address: string, text: string): LinkTarget;
  /** HTML for a paragraph that is this link alone; null to keep the paragraph. */
  block(address: string, text: string, title: string): string | null;
  /** The SVG of a figure. */
  figure(address: string, alternative: string): string;
  /**
   * HTML in place of a comment, such as the list of all entries; null for an unknown comment, which
   * is an error.
   */
  comment(text: string): string | null;
}

export interface Heading {
  readonly level: number;
  readonly html: string;
}

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
  /** A line for each part that must be the same in all languages, in order. */
  readonly structure: readonly string[];
  /** Formulas in running text, sorted. */
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

/** A table may be wider than a phone, so it scrolls in a box. */
// Code that is wider than the page scrolls, with keys too.
markdown.renderer.rules.fence = (tokens, index) =>
  `<pre tabindex="0"><code>${escapeHtml(tokens[index]!.content)}</code></pre>`;
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

/** Joins lines of Chinese text without spaces; a number with a dot begins a list item. */
function joinLines(text: string): string {
  return text
    .replaceAll(/(?<=[\u3001-\u9fff\uff00-\uffef])\n *(?=[\u3001-\u9fff\uff00-\uffef])/g, '')
    .replaceAll(/(?<=[\u3001-\u301f\uff00-\uffef])\n *(?!\d+\. )(?=[\w$`[])/g, '');
}

/** Renders a single paragraph without its <p>. */
export function renderInline(text: string, site: Site): string {
  return markdown.renderInline(joinLines(text), { site });
}

/** Renders paragraphs and lists without headings. */
export function renderText(text: string, site: Site): string {
  return markdown.render(joinLines(text), { site });
}

/** The LaTeX of all formulas in a text. */
export function formulasOf(text: string): string[] {
  const found: string[] = [];
  for (const token of markdown.parse(text, {})) {
    for (const child of token.children ?? []) if (child.type === 'math') found.push(child.content);
  }
  return found.sort();
}

/** Renders a page. `ids`: ids of its headings in order; by default they are made from the text. */
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
  /** Replaces a token by finished HTML. */
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
