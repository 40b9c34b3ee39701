/** Makes the snippets to paste into course material, in five forms, from the same lesson. */
import { LESSON_ATTRIBUTES } from '../../store/address/lesson-attributes.ts';

export const SNIPPETS = ['link', 'frame', 'element', 'notebook', 'myst'] as const;
export type SnippetForm = (typeof SNIPPETS)[number];
/** Forms with an address of the lesson, which contains the packed text or its file name. */
export const ADDRESSES: ReadonlySet<string> = new Set<SnippetForm>(['link', 'frame']);

/** The reader's own text, in the encodings that a lesson may use. */
export interface SharedText {
  /** The unpacked text, for markup and notebooks; null if too long, not UTF-8, or with a NUL. */
  readonly text: string | null;
  /** The packed text, for addresses; empty if too long. */
  readonly packed: string;
  /** The file beside the page that holds a text too long for an address; null if it fits. */
  readonly file: { readonly name: string; readonly sha256: string } | null;
}

/** A lesson: its link parameters and the reader's own text. */
export interface Shared {
  /** URL of the site's folder, with a final slash. */
  readonly home: string;
  /** Link parameters of the page and of the lesson. */
  readonly params: URLSearchParams;
  /** The reader's own text; null for a sample text. */
  readonly own: SharedText | null;
  /** Accessible name of the frame. */
  readonly title: string;
}

/** Address of the frame page with this lesson. */
export function frameAddress({ home, params, own }: Shared): string {
  const whole = new URLSearchParams(params);
  if (own !== null) {
    whole.delete('text');
    if (own.file === null) whole.set('packed', own.packed);
    else {
      whole.set('file', own.file.name);
      whole.set('sha256', own.file.sha256);
    }
  }
  // Commas need no escape, and lists are more readable with them.
  return `${home}embed.html#${whole.toString().replaceAll('%2C', ',')}`;
}

/** The snippet in the given form. */
export function snippetOf(form: SnippetForm, shared: Shared): string {
  if (form === 'link') return frameAddress(shared);
  if (form === 'frame') return frameSnippet(shared);
  const traits = traitsOf(shared);
  if (form === 'element') return elementSnippet(shared.home, traits);
  const widget = `${shared.home}embed/widget.mjs`;
  if (form === 'myst') {
    return `\`\`\`{anywidget} ${widget}\n${JSON.stringify(traits, null, 2)}\n\`\`\``;
  }
  return notebookSnippet(widget, traits);
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\n', '&#10;');
}

/** A frame, and a script that sets its height when the framed page sends one. */
function frameSnippet(shared: Shared): string {
  const address = escapeAttribute(frameAddress(shared));
  return `<iframe src="${address}" title="${escapeAttribute(shared.title)}" width="100%" height="900" style="border: 0" loading="lazy" allow="cross-origin-isolated; clipboard-write"></iframe>
<script>
  addEventListener('message', ({ source, data }) => {
    if (data?.glasshouse !== 1 || data.event !== 'height') return;
    for (const frame of document.querySelectorAll('iframe')) {
      if (frame.contentWindow === source) frame.style.height = data.height + 'px';
    }
  });
</script>`;
}

/** The lesson as attributes of the custom element, which are also the traits of the widget. */
function traitsOf({ params, own }: Shared): Record<string, string> {
  const traits: Record<string, string> = {};
  const settings = new URLSearchParams();
  for (const [name, value] of params) {
    if (name === 'text') {
      if (own === null) traits['sample'] = value;
    } else if ((LESSON_ATTRIBUTES as readonly string[]).includes(name)) traits[name] = value;
    else settings.set(name, value);
  }
  if (settings.size > 0) traits['settings'] = settings.toString();
  if (own?.text) traits['text'] = own.text;
  return traits;
}

function elementSnippet(home: string, traits: Readonly<Record<string, string>>): string {
  const attributes = Object.entries(traits)
    .map(([name, value]) => `\n  ${name}="${escapeAttribute(value)}"`)
    .join('');
  return `<script type="module" src="${home}embed/element.mjs"></script>\n<glasshouse-gpt${attributes}></glasshouse-gpt>`;
}

function notebookSnippet(widget: string, traits: Readonly<Record<string, string>>): string {
  const names = Object.keys(traits);
  const declared = [...names, 'state'].map(
    (name) => `    ${name} = traitlets.Unicode('').tag(sync=True)`,
  );
  // JSON strings are valid Python strings.
  const given = names
    .map((name) => `${name}=${JSON.stringify(traits[name])}`)
    .join(',\n           ');
  return `import anywidget, traitlets

class Glasshouse(anywidget.AnyWidget):
    _esm = '${widget}'
${declared.join('\n')}
    step = traitlets.Int(0).tag(sync=True)
    loss = traitlets.Float(None, allow_none=True).tag(sync=True)

Glasshouse(${given})`;
}
