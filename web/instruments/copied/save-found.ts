/** Saves the matches to a file, with the facts of their run. */
import { fileName } from '../../base/file-name.ts';
import { download, saidSaved } from '../../kit/download.ts';
import { shownFile } from '../../store/training/shown-name.ts';
import type { LaterContext } from '../panel.ts';
import { foundCsv, foundJson } from './found-files.ts';
import { memorisedOf } from './memorised.ts';
import { ownLoss } from './own-loss.ts';
import type { Found } from './state.ts';

/** Saves the file. Returns the message to show; empty without a run. */
export async function saveFound(
  { session, runs, words }: LaterContext,
  found: Found,
  form: 'json' | 'csv',
): Promise<string> {
  const now = session();
  const memorised = memorisedOf(now);
  if (found.newest === null || now === null || memorised === null) return '';
  const name = fileName('copied', shownFile(now, runs), found.newest.step);
  const run = {
    textKey: now.current?.text?.key ?? '',
    memorised,
    model: ownLoss(now, found.yardsticks?.heldOut ?? false),
    receipt: (await now.trainer.receipt()).json,
  };
  const [text, type] =
    form === 'json'
      ? [foundJson(found, run), 'application/json']
      : [foundCsv(found, run), 'text/csv'];
  download(new Blob([text], { type }), `${name}.${form}`);
  return saidSaved(words.t('export.saved', { name: `${name}.${form}` }), words);
}
