/** The element in types of pages: its name, its events, and its attributes in TSX. */
import type { LESSON_ATTRIBUTES } from '../store/address/lesson-attributes.ts';
import type { Status } from '../store/host/host.ts';
import type { GlasshouseGpt } from './element.ts';

type Attributes = Partial<Record<(typeof LESSON_ATTRIBUTES)[number] | 'text', string | boolean>>;

interface Elements {
  'glasshouse-gpt': Attributes & Record<string, unknown>;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- JSX without an import reads this global namespace
  namespace JSX {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- merged into others
    interface IntrinsicElements extends Elements {}
  }
  interface HTMLElementTagNameMap {
    'glasshouse-gpt': GlasshouseGpt;
  }
  // Declares the events for document and window, too, because the events bubble.
  interface GlobalEventHandlersEventMap {
    'glasshouse-ready': CustomEvent<Status>;
    'glasshouse-status': CustomEvent<Status>;
    'glasshouse-error': CustomEvent<{ readonly code: string; readonly message: string }>;
  }
}
