/**
 * Names the model file that was open before a reload: files are not kept, and its settings come
 * back without it.
 */
import { failure } from '../../engine/errors.ts';
import type { Session } from './session.ts';
import { keep, recall } from '../storage.ts';

const PLACE = 'model-file';
/** The code of the error that says so. */
const GONE = 'model-gone';

export class OpenedModelNote {
  #name = recall('tab', PLACE);
  /** Whether it was open before a reload, and nothing else is there since. */
  #isGone = this.#name !== null;

  /** Says which one is gone, if any is. */
  tell(session: Session): void {
    if (this.#name === null) return;
    session.models.miss(failure(GONE, 'the model file is not kept', [], this.#name));
  }

  /** Something has changed: notes what is open now. */
  look(session: Session): void {
    const { model, run } = session;
    if (model === null && this.#isGone && (run === null || run.step === 0)) return;
    if (this.#isGone && session.modelError?.code === GONE) session.models.forgetFailure();
    this.#isGone = false;
    // Of a run that has gone on there is more than the file: it was saved.
    const isOnlyThere = model !== null && (run?.history.length ?? 0) === 0;
    const name = isOnlyThere ? model.name : null;
    if (name === this.#name) return;
    this.#name = name;
    keep('tab', PLACE, name);
  }
}
