/** Saves a run as a file. */
import { fileName } from '../../base/file-name.ts';
import type { OptionTable } from '../../engine/options.ts';
import { download } from '../../kit/download.ts';
import type { RunFile } from '../../store/runs/run-files.ts';
import { runFile } from '../../store/training/run-name.ts';

/** Starts the download of a run; returns the name of the file. */
export function saveRun({ facts, file }: RunFile, table: OptionTable | undefined): string {
  const run = table === undefined ? '' : runFile({ ...facts, textKey: facts.text.key }, table);
  const name = `${fileName('run', run, facts.step)}.glasshouse`;
  download(file, name);
  return name;
}
