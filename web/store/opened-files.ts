/** Opens files: a training text, a model, or a saved run. */
import { failure } from '../engine/errors.ts';
import { canChange } from './address/lesson.ts';
import type { Lesson } from './address/lesson.ts';
import { needsOtherText } from './messages.ts';
import type { TextController } from './text/text-controller.ts';
import { notedSample } from './text/texts.ts';
import type { SourceId } from './text/texts.ts';
import { runAmong } from './training/model-files.ts';
import type { Session } from './training/session.ts';

/** Loads the code that recognises the kinds of files. */
export const sorting = () => import('./training/sort-files.ts');

/** All files of a drop. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly File[]> {
  // Read before any await, because the lists are emptied when the event ends.
  const plain = [...transfer.files];
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  return (await sorting()).filesOf(plain, entries);
}

export interface OpenedFilesOptions {
  readonly session: () => Session | null;
  readonly textController: TextController;
  /** The chosen text. */
  readonly source: () => SourceId;
  readonly lesson: () => Lesson;
  readonly openRun: (file: File) => void;
  readonly changed: () => void;
  readonly saveAddress: () => void;
}

export class OpenedFiles {
  readonly #options: OpenedFilesOptions;
  /** Files of a model opened before the engine was ready; null for none. */
  #early: readonly File[] | null = null;

  constructor(options: OpenedFilesOptions) {
    this.#options = options;
  }

  /** Opens a model that was waiting for the engine. */
  begin(): void {
    if (this.#early !== null) this.openModel(this.#early);
  }

  /** Opens files dropped anywhere on the page, or chosen as a text. */
  async open(coming: readonly File[] | Promise<readonly File[]>): Promise<void> {
    const { textController, session, changed, saveAddress } = this.#options;
    const { requests } = textController;
    // Clears the errors of earlier files.
    textController.forgetFailure();
    session()?.models.forgetFailure();
    changed();
    let files: readonly File[], sorts: Awaited<ReturnType<typeof sorting>>, kind;
    try {
      [files, sorts] = await Promise.all([coming, sorting()]);
      kind = await sorts.kindOf(files);
    } catch (thrown) {
      // An unreadable folder, or a deleted file.
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      textController.refuse(failure('file-read', `the files could not be read: ${why}`));
      return;
    }
    const [first] = files;
    const left = sorts.textAmong(files);
    if (kind === 'model') this.openModel(files);
    else if (first !== undefined && kind === 'run') this.#openRun(first);
    // A text chosen meanwhile wins.
    else if (first !== undefined && kind === 'text' && textController.requests === requests)
      textController.open(first);
    if (first !== undefined && kind === 'receipt') {
      textController.refuse(failure('receipt-file', 'a receipt is not a text', [], first.name));
    } else if (kind === 'texts') {
      textController.refuse(
        failure('several-files', 'one text at a time can be opened', [files.length]),
      );
    } else if (kind === 'model' && left !== null) {
      textController.refuse(failure('text-left', 'a model came with this text', [], left.name));
    }
    saveAddress();
  }

  /** Opens files chosen as a model; a single run file is opened as a saved run. */
  openModelOrRun(files: readonly File[]): void {
    const run = runAmong(files);
    if (run === null) this.openModel(files);
    else this.#openRun(run);
  }

  /** Opens a saved run, which brings its text, settings and model. */
  #openRun(file: File): void {
    if (!this.#refuses(file.name, ['text', 'settings', 'model'])) this.#options.openRun(file);
  }

  /**
   * Refuses a file that would change locked parts of the lesson; returns whether it was refused.
   */
  #refuses(name: string, locks: readonly string[]): boolean {
    const { lesson, textController } = this.#options;
    const isLocked = locks.some((one) => lesson().lock.has(one));
    if (isLocked) textController.refuse(failure('file-locked', 'the lesson is locked', [], name));
    return isLocked;
  }

  /**
   * Opens a model. If its run cannot resume without the sample text it learned, loads that text.
   */
  openModel(files: readonly File[]): void {
    const { textController, lesson, source } = this.#options;
    const session = this.#options.session();
    textController.forgetFailure();
    // The model would replace locked settings.
    if (this.#refuses(files[0]?.name ?? '', ['settings', 'model'])) return;
    // `begin` opens it once the engine is ready.
    this.#early = session === null ? files : null;
    const { requests } = textController;
    session?.models.open(
      async () => (await sorting()).sortModel(files),
      ({ facts, why }) => {
        // The text of a lesson stays, and so does one chosen meanwhile.
        const isFree = canChange(lesson(), 'text') && textController.requests === requests;
        const id = notedSample(facts.note);
        if (!isFree || why === null || id === null || id === source()) return;
        if (needsOtherText(why, source() === 'own')) textController.choose(id);
      },
    );
  }
}
