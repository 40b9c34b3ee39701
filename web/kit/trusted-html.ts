/** Inserts markup from our own build, even if the page requires trusted types. */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML: (html: string) => string },
  ): { createHTML(html: string): string };
}

const asItIs = { createHTML: (html: string): string => html };

/**
 * Creates the policy; null if the page forbids it. Called once, because the browser reports each
 * attempt.
 */
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

/** Sets the content of `element`; plain text if the page forbids our policy. */
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
