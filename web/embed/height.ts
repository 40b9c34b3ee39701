/**
 * Tells the page around how high the frame would like to be, in the ways that pages listen to: our
 * own message, and `lti.frameResize` of learning platforms as an object and as JSON.
 */
import { PROTOCOL } from './host-messages.ts';
import type { HostWire } from './host-messages.ts';

/** How often the same two heights may take turns before the larger one is kept. */
const TURNS = 4;

/** Decides which heights to tell: new ones, but no two of them in turns for ever. */
export class HeightGuard {
  #sent: number[] = [];
  #floor = 0;

  /** The height to tell for a content this high; null for nothing new. */
  next(content: number): number | null {
    const height = Math.max(Math.ceil(content), this.#floor);
    const [last, before] = this.#sent;
    if (height === last) return null;
    this.#sent = height === before || this.#sent.length === 0 ? this.#sent : this.#sent.slice(0, 1);
    this.#sent.unshift(height);
    if (this.#sent.length > TURNS) {
      // A host that answers a height with a width that leads back to the other height.
      this.#floor = Math.max(height, last ?? 0);
      this.#sent = [this.#floor];
      return this.#floor === last ? null : this.#floor;
    }
    return height;
  }
}

/** Follows the height of `content` until the returned function is called. */
export function tellHeight(content: HTMLElement, wire: HostWire): () => void {
  const guard = new HeightGuard();
  const observer = new ResizeObserver(() => {
    const height = guard.next(content.getBoundingClientRect().height);
    if (height === null) return;
    wire.send({ glasshouse: PROTOCOL, event: 'height', height }, '*');
    const lti = { subject: 'lti.frameResize', height };
    wire.send(lti, '*');
    wire.send(JSON.stringify(lti), '*');
  });
  observer.observe(content);
  return () => {
    observer.disconnect();
  };
}
