/** What a teacher pastes into course material, for each form, from one description of a lesson. */
import { LESSON_ATTRIBUTES } from '../../store/address/lesson.ts';

export const SNIPPETS = ['link', 'frame', 'element', 'notebook', 'myst'] as const;
export type SnippetForm = (typeof SNIPPETS)[number];
/** The forms that are an address, which holds a text packed. */
export const ADDRESSES: ReadonlySet<string> = new Set<SnippetForm>(['link', 'frame']);

/** The reader's own text, in the ways in which a lesson can hold it. */
export interface SharedText {
  /** For markup and notebooks; null when it is too long for them or is not UTF-8. */
  readonly text: string | null;
  /** For an address; empty when it is too long for that. */
  readonly packed: string;
  /** It then lies beside the page, under this name, with this SHA-256. */
  readonly file: { readonly name: string; readonly sha256: string } | null;
}

/** A lesson with its settings: the parameters of a frame's fragment, and the reader's own text. */
export interface Shared {
  /** Address of the site's folder, with a slash at the end. */
  readonly home: string;
  /** As of the page's address, with the parameters of the lesson added. */
  readonly params: URLSearchParams;
  /** The reader's own text; null for a sample text. */
  readonly own: SharedText | null;
  /** What a frame is called, for those who cannot see it. */
  readonly title: string;
}

/** The address of the frame page for this lesson. */
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
  // A comma may stand as it is, and a list is easier to read with it.
  return `${home}embed.html#${whole.toString().replaceAll('%2C', ',')}`;
}

/** The text to paste. */
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

/** The frame, with the few lines that give it the height it asks for. */
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

/** The lesson as attributes of the element, which are also the traits of the widget. */
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
  // Strings of JSON are strings of Python too.
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
