/** Files that the reader opens: a text to learn, a model, or a kept run. */
import { failure } from '../engine/errors.ts';
import { canChange } from './address/lesson.ts';
import type { Lesson } from './address/lesson.ts';
import { needsOtherText } from './messages.ts';
import type { TextController } from './text/text-controller.ts';
import { notedSample } from './text/texts.ts';
import type { SourceId } from './text/texts.ts';
import { runAmong } from './training/model-files.ts';
import type { Session } from './training/session.ts';

/** What tells files apart comes once the page rests. */
export const sorting = () => import('./training/sort-files.ts');

/** All files of a drop. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly File[]> {
  // Both lists are emptied as soon as the event is over: taken before anything is waited for.
  const plain = [...transfer.files];
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  return (await sorting()).filesOf(plain, entries);
}

export interface OpenedFilesOptions {
  readonly session: () => Session | null;
  readonly textController: TextController;
  /** The text that is chosen. */
  readonly source: () => SourceId;
  readonly lesson: () => Lesson;
  readonly openRun: (file: File) => void;
  readonly changed: () => void;
  readonly saveAddress: () => void;
}

export class OpenedFiles {
  readonly #options: OpenedFilesOptions;
  /** A model that came before the engine. */
  #early: readonly File[] | null = null;

  constructor(options: OpenedFilesOptions) {
    this.#options = options;
  }

  /** The engine is there: it opens what came before it. */
  begin(): void {
    if (this.#early !== null) this.openModel(this.#early);
  }

  /** Opens a dropped model, wherever it was dropped, or else a text to learn. */
  async open(coming: readonly File[] | Promise<readonly File[]>): Promise<void> {
    const { textController, session, changed, openRun, saveAddress } = this.#options;
    const { requests } = textController;
    // What is said from here on is about these.
    textController.forgetFailure();
    session()?.models.forgetFailure();
    changed();
    let files: readonly File[], sorts: Awaited<ReturnType<typeof sorting>>, kind;
    try {
      [files, sorts] = await Promise.all([coming, sorting()]);
      kind = await sorts.kindOf(files);
    } catch (thrown) {
      // A folder that cannot be looked into, a file that is gone.
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      textController.refuse(failure('file-read', `the files could not be read: ${why}`));
      return;
    }
    const [first] = files;
    const left = sorts.textAmong(files);
    if (kind === 'model') this.openModel(files);
    else if (first !== undefined && kind === 'run') openRun(first);
    // Another text chosen meanwhile wins.
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

  /** Opens files that were chosen as those of a model: a kept run may be among them. */
  openModelOrRun(files: readonly File[]): void {
    const run = runAmong(files);
    if (run === null) this.openModel(files);
    else this.#options.openRun(run);
  }

  /** Opens a model; with a sample text that it learned from, its run can go on. */
  openModel(files: readonly File[]): void {
    const { textController, lesson, source } = this.#options;
    const session = this.#options.session();
    textController.forgetFailure();
    // The engine is on its way: it will begin with this.
    this.#early = session === null ? files : null;
    const { requests } = textController;
    session?.models.open(
      async () => (await sorting()).sortModel(files),
      ({ facts, why }) => {
        // A lesson's text stays, and who has chosen another meanwhile wants that one.
        const isFree = canChange(lesson(), 'text') && textController.requests === requests;
        const id = notedSample(facts.note);
        if (!isFree || why === null || id === null || id === source()) return;
        if (needsOtherText(why, source() === 'own')) textController.choose(id);
      },
    );
  }
}
