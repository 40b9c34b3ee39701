/** Resumes saved runs: with their text, or else as a model that only generates. */
import { KEPT } from '../../base/form.ts';
import { asError, failure } from '../../engine/errors.ts';
import { keptText } from '../text/text-source.ts';
import type { KeptText, LoadedText, SampleReader } from '../text/text-source.ts';
import type { CurrentRun } from '../training/current-run.ts';
import type { Session } from '../training/session.ts';
import type * as RunFiles from './run-files.ts';
import type { RunSave, TextFacts } from './run-record.ts';
import type { StoredRun } from './run-store.ts';

export interface ResumingOptions {
  readonly session: () => Session | null;
  /** Shows text and probe of a resumed run. */
  readonly show: (text: LoadedText, probe: string) => void;
  /** The page's text and the sample texts, searched for the text of a run saved without it. */
  readonly readBytes: () => Promise<Uint8Array<ArrayBuffer>>;
  readonly readSample: SampleReader;
  /** Opens the checkpoint of a run whose text is missing. */
  readonly openModel: (file: File) => void;
}

/** A resumed run, and the save it was read from. */
export interface Resumed {
  readonly session: Session;
  readonly current: CurrentRun;
  readonly save: RunSave;
}

export class Resuming {
  readonly #options: ResumingOptions;

  constructor(options: ResumingOptions) {
    this.#options = options;
  }

  /** Resumes from the first of `saves` that can be read. Throws `run-damaged` if none can. */
  async resume(
    saves: readonly RunSave[],
    preset: string,
    text: KeptText,
    changes?: Readonly<Record<string, number>>,
  ): Promise<Resumed> {
    const session = this.#options.session();
    if (session === null) throw failure('state', 'there is no engine yet');
    const loaded = await keptText(text);
    let error: unknown = failure('run-gone', 'this run is not kept any more');
    for (const save of saves) {
      const { file, history, probe } = save;
      // The engine takes the buffer, and the text may be needed for a second attempt.
      const given = { ...loaded, bytes: loaded.bytes.slice() };
      try {
        const current = await session.models.resume({
          file,
          history,
          preset,
          changes,
          text: given,
        });
        this.#options.show(loaded, probe);
        return { session, current, save };
      } catch (thrown) {
        error = thrown;
      }
    }
    // Messages of these errors would advise to choose another file.
    const isDamaged = /^(file|tensor)/.test(asError(error).code);
    throw isDamaged ? failure('run-damaged', `no save can be read: ${String(error)}`) : error;
  }

  /** The text of a run saved without it; null if it is not found. */
  async findText(text: TextFacts): Promise<Blob | null> {
    const { readBytes, readSample } = this.#options;
    return (await runFiles()).findText(text, readBytes, readSample);
  }

  /**
   * Opens a run whose text is missing as a model that only generates, then always throws
   * `run-text`. Throws `run-gone` if the run has no save left.
   */
  openWithout({ record: { name, text }, saves: [save] }: StoredRun): void {
    if (save === undefined) throw failure('run-gone', 'this run is not kept any more');
    this.#options.openModel(new File([save.file], `${name || 'run'}.safetensors`));
    throw failure('run-text', 'the text of the run is not here', [text.bytes], text.fileName);
  }
}

/** Loads the code of run files; rejects in forms without a list of runs. */
export function runFiles(): Promise<typeof RunFiles> {
  return KEPT
    ? import('./run-files.ts')
    : Promise.reject(failure('state', 'this form has no files of runs'));
}
