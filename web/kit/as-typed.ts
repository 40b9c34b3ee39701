/** Makes a field keep every character: phones and browsers change none. Used as a `ref`. */
import { AS_TYPED, setAttribute } from './dom.ts';

// As attributes: of `autocorrect`, browsers disagree on the type of the property.
export function asTyped(field: Element | null): void {
  for (const [name, value] of Object.entries(AS_TYPED)) if (field) setAttribute(field, name, value);
}
