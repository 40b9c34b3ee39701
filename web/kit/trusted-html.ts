/** Markup that our own build made, put into the page, also where the page demands trusted types. */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML: (html: string) => string },
  ): { createHTML(html: string): string };
}

const asItIs = { createHTML: (html: string): string => html };

/** Null where the page allows no policy of ours: it is asked once, since it reports each try. */
function createPolicy(): typeof asItIs | null {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  try {
    return trustedTypes?.createPolicy('glasshouse', asItIs) ?? asItIs;
  } catch {
    return null;
  }
}

let policy: typeof asItIs | null | undefined;

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  '#39': "'",
  nbsp: '\u00A0',
};

/** Fills `element`; with the words alone where the page allows no policy of ours. */
export function setHtml(element: Element, html: string): void {
  if (policy === undefined) policy = createPolicy();
  if (policy !== null) {
    element.innerHTML = policy.createHTML(html);
    return;
  }
  const words = html.replace(/<[^>]*>/g, '');
  const text = words.replace(/&([#\w]+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
  if (element instanceof HTMLTemplateElement) element.content.replaceChildren(text);
  else element.textContent = text;
}
