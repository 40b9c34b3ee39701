/**
 * Opens the store of runs, once. Its code comes over the network: as long as it has not come it is
 * asked for again. What the browser refuses stays refused.
 */
import { asError, failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { RunStore } from './run-store.ts';

/** Milliseconds after which the code is asked for again, and those at most between two times. */
const PATIENCE = 5_000;
const MOST_PATIENCE = 60_000;
/** What is wrong when the code did not come. */
export const UNFETCHED = 'storage-fetch';

export interface StoreAccessOptions {
  /** The tab that saves. */
  readonly tab: string;
  /** Called once, with the open store; who reaches for it waits for this. */
  readonly opened: (store: RunStore) => Promise<void>;
  /** Asking again was of use: what waited for the store can be saved. */
  readonly cameLate: () => void;
  readonly tell: (thrown: unknown) => void;
  readonly changed: () => void;
}

export class StoreAccess {
  readonly #options: StoreAccessOptions;
  #store: RunStore | null = null;
  /** Why there is no store; null as long as nothing has failed. */
  #refusal: GlasshouseError | null = null;
  #reaching: Promise<RunStore> | null = null;
  #patience = PATIENCE;
  #again: ReturnType<typeof setTimeout> | undefined;
  #destroyed = false;

  constructor(options: StoreAccessOptions) {
    this.#options = options;
    addEventListener('online', this.#onOnline);
  }

  /** Null until it is open. */
  get store(): RunStore | null {
    return this.#store;
  }

  /** Whether the code of the store did not come: it is asked for again. */
  get isUnfetched(): boolean {
    return this.#store === null && this.#refusal?.code === UNFETCHED;
  }

  get isDestroyed(): boolean {
    return this.#destroyed;
  }

  /** Opens the store once; throws if the browser has none. */
  reach(): Promise<RunStore> {
    if (this.#store !== null) return Promise.resolve(this.#store);
    // What has failed stays so until it is time to ask again.
    if (this.#refusal !== null) return Promise.reject(this.#refusal);
    this.#reaching ??= this.#open().finally(() => {
      this.#reaching = null;
    });
    return this.#reaching;
  }

  destroy(): void {
    this.#destroyed = true;
    clearTimeout(this.#again);
    removeEventListener('online', this.#onOnline);
    this.#store?.close();
  }

  async #open(): Promise<RunStore> {
    const store = await this.#openStore();
    this.#store = store;
    if (this.#destroyed) store.close();
    else await this.#options.opened(store);
    return store;
  }

  async #openStore(): Promise<RunStore> {
    try {
      const script = await import('./run-store.ts').catch((thrown: unknown) => {
        throw failure(UNFETCHED, String(thrown));
      });
      return await script.RunStore.open(this.#options.tab);
    } catch (thrown) {
      this.#refusal = asError(thrown);
      if (this.isUnfetched && !this.#destroyed) {
        this.#again = setTimeout(() => void this.#askAgain(), this.#patience);
        this.#patience = Math.min(2 * this.#patience, MOST_PATIENCE);
      }
      throw this.#refusal;
    }
  }

  readonly #onOnline = (): void => {
    this.#patience = PATIENCE;
    void this.#askAgain();
  };

  async #askAgain(): Promise<void> {
    clearTimeout(this.#again);
    if (!this.isUnfetched || this.#reaching !== null) return;
    this.#refusal = null;
    try {
      await this.reach();
      this.#options.cameLate();
    } catch (thrown) {
      // The next save says it, where it is the browser that refuses this time.
      if (this.#store !== null) this.#options.tell(thrown);
    }
    this.#options.changed();
  }
}
