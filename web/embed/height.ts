/**
 * Reports the desired height of the frame to the surrounding page in three forms: our own message,
 * and `lti.frameResize` of learning platforms as an object and as JSON.
 */
import { PROTOCOL } from './host-messages.ts';
import type { HostWire } from './host-messages.ts';

/** How often two heights may alternate before the larger one is fixed. */
const TURNS = 4;

/**
 * Selects the heights to report: skips repeated heights, and ends an alternation of two heights at
 * the larger one.
 */
export class HeightGuard {
  #sent: number[] = [];
  #floor = 0;

  /** The height to report for this content height; null if unchanged. */
  next(content: number): number | null {
    const height = Math.max(Math.ceil(content), this.#floor);
    const [last, before] = this.#sent;
    if (height === last) return null;
    this.#sent = height === before || this.#sent.length === 0 ? this.#sent : this.#sent.slice(0, 1);
    this.#sent.unshift(height);
    if (this.#sent.length > TURNS) {
      // The host answers a height with a width that leads back to the other height.
      this.#floor = Math.max(height, last ?? 0);
      this.#sent = [this.#floor];
      return this.#floor === last ? null : this.#floor;
    }
    return height;
  }
}

/** Reports the height of `content`. Returns a function that stops the reports. */
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
