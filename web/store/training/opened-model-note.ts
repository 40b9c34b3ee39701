/**
 * Notes the name of the opened model file. Files are not kept, so after a reload the page reports
 * that the model is gone; only its settings are restored.
 */
import { failure } from '../../engine/errors.ts';
import type { Session } from './session.ts';
import { keep, recall } from '../storage.ts';

const PLACE = 'model-file';
/** Error code of the report that the model is gone. */
const GONE = 'model-gone';

export class OpenedModelNote {
  #name = recall('tab', PLACE);
  /** Whether a model was open before a reload, and nothing replaced it since. */
  #isGone = this.#name !== null;

  /** Reports the missing model, if any. */
  tell(session: Session): void {
    if (this.#name === null) return;
    session.models.miss(failure(GONE, 'the model file is not kept', [], this.#name));
  }

  /** Updates the note after a change of the session. */
  look(session: Session): void {
    const { model, run } = session;
    if (model === null && this.#isGone && (run === null || run.step === 0)) return;
    if (this.#isGone && session.modelError?.code === GONE) session.models.forgetFailure();
    this.#isGone = false;
    // Once the run has made steps, its save replaces the file.
    const isOnlyThere = model !== null && (run?.history.length ?? 0) === 0;
    const name = isOnlyThere ? model.name : null;
    if (name === this.#name) return;
    this.#name = name;
    keep('tab', PLACE, name);
  }
}
