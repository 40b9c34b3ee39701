/** HTML frame of a documentation page: head, navigation, footer. */
import type { Heading } from './markdown.ts';
import { escapeHtml } from './c-source.ts';
import { LANGS, PAGES, WORDS } from './words.ts';
import type { Lang } from './words.ts';

/** An entry of the navigation, with the page's headings. */
export interface NavPage {
  readonly page: string;
  readonly headings: readonly Heading[];
  readonly ids: readonly string[];
}

interface TextPage {
  readonly lang: Lang;
  readonly page: string;
  readonly html: string;
  readonly nav: readonly NavPage[];
}

interface ChoicePage {
  readonly lang: null;
}

interface SourcePage {
  readonly file: string;
  /** The file as HTML; no element crosses the end of a line. */
  readonly lines: string;
}

export function layout(page: TextPage | ChoicePage | SourcePage): string {
  if ('file' in page) return sourcePage(page);
  return page.lang === null ? choicePage() : textPage(page);
}

const MARK = `<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
<path class="pane" d="M5 29V13L16 4l11 9v16zM16 4v25M5 20h22"/>
<path class="leaf" d="M16 25c0-6 3-9.5 8-10.5 0 6-3 9.5-8 10.5z"/>
<path class="leaf" d="M16 22c0-4-2-6.5-6-7.5 0 4.5 2 7 6 7.5z"/></svg>`;

function frame(tag: string, title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="/favicon/icon.svg">
<link rel="stylesheet" href="/styles/docs.css">
<script type="module" src="/docs/follow-theme.ts"></script>
${head}</head>
<body class="docs">
${body}</body>
</html>
`;
}

const plain = (html: string): string => html.replaceAll(/<[^>]+>/g, '');

function textPage({ lang, page, html, nav }: TextPage): string {
  const words = WORDS[lang];
  const at = nav.findIndex((item) => item.page === page);
  const title = (item: NavPage): string => item.headings[0]?.html ?? item.page;
  const items = nav.map((item) => {
    const current = item.page === page;
    const sections = item.headings
      .map((heading, i) => ({ ...heading, id: item.ids[i] ?? '' }))
      .filter((heading) => heading.level === 2)
      .map((heading) => `<li><a href="#${heading.id}">${heading.html}</a></li>`);
    const inside = current && sections.length > 0 ? `<ul>${sections.join('')}</ul>` : '';
    const mark = current ? ' aria-current="page"' : '';
    return `<li><a href="${item.page}.html"${mark}>${title(item)}</a>${inside}</li>`;
  });
  const turn = (item: NavPage | undefined, rel: string, label: string): string =>
    item === undefined
      ? ''
      : `<a rel="${rel}" href="${item.page}.html"><span class="label">${label}</span> ${title(item)}</a>`;
  const languages = LANGS.map((other) => {
    const { tag, name } = WORDS[other];
    return other === lang
      ? `<span lang="${tag}" aria-current="true">${name}</span>`
      : `<a href="../${other}/${page}.html" lang="${tag}" hreflang="${tag}">${name}</a>`;
  });
  const alternates = LANGS.filter((other) => other !== lang).map(
    (other) =>
      `<link rel="alternate" hreflang="${WORDS[other].tag}" href="../${other}/${page}.html">\n`,
  );
  const heading = plain(title(nav[at]!));
  const full =
    page === PAGES[0] ? `${heading} – Glasshouse` : `${heading} – ${words.docs} – Glasshouse`;
  return frame(
    words.tag,
    full,
    alternates.join(''),
    `<a class="skip" href="#text">${words.skip}</a>
<header class="bar">
<a class="brand" href="../../index.html">${MARK}<span>Glasshouse</span></a>
<p class="tagline">${words.docs}</p>
<p class="languages">${languages.join(' ')}</p>
</header>
<div class="frame">
<nav class="pages" aria-label="${words.contents}"><ol>${items.join('\n')}</ol></nav>
<main id="text" tabindex="-1">
<article>
${html}</article>
<nav class="turn" aria-label="${words.next}">${turn(nav[at - 1], 'prev', words.previous)}${turn(
      nav[at + 1],
      'next',
      words.next,
    )}</nav>
</main>
</div>
<footer><p>${words.fonts}</p></footer>
`,
  );
}

function choicePage(): string {
  const links = LANGS.map((lang) => {
    const { tag, name, docs } = WORDS[lang];
    return `<p lang="${tag}"><a href="${lang}/index.html" hreflang="${tag}">${name}</a> ${docs}</p>`;
  });
  return frame(
    'en',
    'Glasshouse – How it works',
    '',
    `<main class="choice" id="text">
<h1><a class="brand" href="../index.html">${MARK}<span>Glasshouse</span></a></h1>
${links.join('\n')}
</main>
`,
  );
}

function sourcePage({ file, lines }: SourcePage): string {
  const up = '../'.repeat(file.split('/').length);
  const numbered = lines
    .split('\n')
    .map((line, i) => `<span id="L${i + 1}">${line}</span>`)
    .join('\n');
  const links = LANGS.map((lang) => {
    const { tag, docs } = WORDS[lang];
    return `<a href="${up}${lang}/index.html" lang="${tag}" hreflang="${tag}">${docs}</a>`;
  });
  return frame(
    'en',
    `c/${file} – Glasshouse`,
    '',
    `<header class="bar">
<a class="brand" href="${up}../index.html">${MARK}<span>Glasshouse</span></a>
<p class="languages">${links.join(' ')}</p>
</header>
<main class="source" id="text">
<h1><code>c/${file}</code></h1>
<pre class="numbered" tabindex="0"><code>${numbered}</code></pre>
</main>
`,
  );
}
