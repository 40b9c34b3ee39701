/**
 * An IndexedDB database that reopens itself after the browser has closed it: Safari does so to
 * background tabs, every browser when site data is cleared.
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

  /** Opens version 1, created by `upgrade`; throws if the browser stores nothing for this page. */
  static async open<Schema extends DBSchema>(
    name: string,
    upgrade: NonNullable<OpenDBCallbacks<Schema>['upgrade']>,
  ): Promise<Database<Schema>> {
    const opened = new Database<Schema>(() =>
      openDB<Schema>(name, 1, {
        upgrade,
        // Another page wants to delete the database: this tab must not block it.
        blocking: (_now, _next, event) => {
          (event.target as IDBDatabase).close();
        },
      }),
    );
    await opened.#connection;
    return opened;
  }

  /** Runs `action`; repeats it once if the connection was closed before or during it. */
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

  /** Only a new transaction shows that a connection is closed. */
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
