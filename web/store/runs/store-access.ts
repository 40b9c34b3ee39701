/**
 * Opens the run store once. Its code is loaded over the network, repeatedly if that fails; a
 * refusal by the browser is final.
 */
import { asError, failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { RunStore } from './run-store.ts';

/** First and longest delay in milliseconds between attempts to load the code. */
const PATIENCE = 5_000;
const MOST_PATIENCE = 60_000;
/** Code of the error when loading failed. */
export const UNFETCHED = 'storage-fetch';

export interface StoreAccessOptions {
  /** Id of the tab. */
  readonly tab: string;
  /** Called once with the open store; `reach` waits for it. */
  readonly opened: (store: RunStore) => Promise<void>;
  /** Called if a later attempt succeeded, so that waiting changes can be saved. */
  readonly onLateSuccess: () => void;
  readonly tell: (thrown: unknown) => void;
  readonly changed: () => void;
}

export class StoreAccess {
  readonly #options: StoreAccessOptions;
  #store: RunStore | null = null;
  /** The last error; null if nothing has failed. */
  #refusal: GlasshouseError | null = null;
  #reaching: Promise<RunStore> | null = null;
  #patience = PATIENCE;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #destroyed = false;

  constructor(options: StoreAccessOptions) {
    this.#options = options;
    addEventListener('online', this.#onOnline);
  }

  /** The store; null until it is open. */
  get store(): RunStore | null {
    return this.#store;
  }

  /** Whether the store's code failed to load and will be requested again. */
  get isUnfetched(): boolean {
    return this.#store === null && this.#refusal?.code === UNFETCHED;
  }

  get isDestroyed(): boolean {
    return this.#destroyed;
  }

  /** Opens the store once; throws if it is unavailable. */
  reach(): Promise<RunStore> {
    if (this.#store !== null) return Promise.resolve(this.#store);
    // An error stands until the next attempt.
    if (this.#refusal !== null) return Promise.reject(this.#refusal);
    this.#reaching ??= this.#open().finally(() => {
      this.#reaching = null;
    });
    return this.#reaching;
  }

  destroy(): void {
    this.#destroyed = true;
    clearTimeout(this.#retry);
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
        this.#retry = setTimeout(() => void this.#tryAgain(), this.#patience);
        this.#patience = Math.min(2 * this.#patience, MOST_PATIENCE);
      }
      throw this.#refusal;
    }
  }

  readonly #onOnline = (): void => {
    this.#patience = PATIENCE;
    void this.#tryAgain();
  };

  async #tryAgain(): Promise<void> {
    clearTimeout(this.#retry);
    if (!this.isUnfetched || this.#reaching !== null) return;
    this.#refusal = null;
    try {
      await this.reach();
      this.#options.onLateSuccess();
    } catch (thrown) {
      // Reports only errors after the store was opened; the next save reports that it cannot be
      // opened.
      if (this.#store !== null) this.#options.tell(thrown);
    }
    this.#options.changed();
  }
}
