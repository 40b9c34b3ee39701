/**
 * A database of this browser that is opened anew when the browser has closed it, as Safari does to
 * tabs in the background, and every browser when site data is cleared.
 */
import { openDB } from 'idb';
import type { DBSchema, IDBPDatabase, OpenDBCallbacks } from 'idb';

export class Database<Schema extends DBSchema> {
  readonly #open: () => Promise<IDBPDatabase<Schema>>;
  #connection: Promise<IDBPDatabase<Schema>>;

  private constructor(open: () => Promise<IDBPDatabase<Schema>>) {
    this.#open = open;
    this.#connection = open();
  }

  /**
   * Opens version 1, which `upgrade` makes; throws where the browser keeps nothing for this page.
   */
  static async open<Schema extends DBSchema>(
    name: string,
    upgrade: NonNullable<OpenDBCallbacks<Schema>['upgrade']>,
  ): Promise<Database<Schema>> {
    const opened = new Database<Schema>(() =>
      openDB<Schema>(name, 1, {
        upgrade,
        // Somebody wants to delete it: it is not to wait for this tab.
        blocking: (_now, _next, event) => {
          (event.target as IDBDatabase).close();
        },
      }),
    );
    await opened.#connection;
    return opened;
  }

  /** Does `action`, all of it once more where the connection was closed before or on the way. */
  async use<Result>(action: (database: IDBPDatabase<Schema>) => Promise<Result>): Promise<Result> {
    try {
      return await action(await this.#connection);
    } catch (thrown) {
      if (!(await this.#isClosed())) throw thrown;
      this.#connection = this.#open();
      return action(await this.#connection);
    }
  }

  close(): void {
    this.#connection.then(
      (database) => {
        database.close();
      },
      () => undefined,
    );
  }

  /** A closed connection begins no transaction; nothing else tells. */
  async #isClosed(): Promise<boolean> {
    try {
      const database = await this.#connection;
      const [store] = database.objectStoreNames;
      if (store !== undefined) await database.transaction(store).done;
      return false;
    } catch {
      return true;
    }
  }
}
