/** Runs saved in the browser. */
export const runs = {
  'runs.lead':
    'Runs are saved in this browser; nothing is sent anywhere. Each includes its model, text, curve and samples, and can be continued exactly. The newest {count} are kept automatically; a run with a name is kept until you delete it. A text that you opened is kept for three days after its last use, even over a reload.',
  'runs.empty': 'No run is saved yet. A run is saved while it trains and when it pauses.',
  'runs.denied':
    'This browser saves nothing for this page, as in some private windows and embedded frames. Everything else works. To keep a run, save a checkpoint under “{=model.title}”.',
  'runs.unfetched':
    'The part of this page that saves runs could not be loaded. Check the connection; the page tries again by itself.',
  'runs.caption': 'Saved runs',
  'runs.col.run': 'Run',
  'runs.col.step': 'Step',
  'runs.col.loss': 'Loss ({unit})',
  'runs.col.loss.usual': 'Loss, smoothed as usual ({unit})',
  'runs.col.saved': 'Saved',
  'runs.col.size': 'Size',
  'runs.col.actions': 'Actions',
  'runs.loss': '{loss} {unit}',
  'runs.of': '{step} of {steps}',
  'runs.about': '{text}, {preset}',
  'runs.here': 'this tab',
  'runs.elsewhere': 'open in another tab',
  'runs.open': 'Open',
  'runs.rename': 'Rename',
  'runs.download': 'Download',
  'runs.download.form': 'Download the run',
  'runs.download.text': 'with its text ({size})',
  'runs.download.help':
    'One file with weights, optimiser, curve and samples, to open here in any browser. Without its text, the run continues only where you also open that text.',
  'runs.file.open': 'Open a run file…',
  'runs.file.current': 'Download the run of this tab',
  'runs.delete': 'Delete',
  'runs.on': '{action}: {name}',
  'runs.name': 'Name of the run',
  'runs.name.save': 'Save name',
  'runs.name.cancel': 'Cancel',
  'runs.deleted': 'Deleted: {name}.',
  'runs.undo': 'Undo',
  'runs.delete.elsewhere':
    'It is open in another tab. Delete it there, or close that tab and delete it here.',
  'runs.past': 'Snapshots for looking back take {used}; they are deleted first when room is short.',
  'runs.use':
    'Everything that this page saves takes {used} of about {quota} that the browser allows.',
  'runs.persisted': 'The browser will not clear them by itself.',
  'runs.persist': 'Ask the browser not to clear them',
  'runs.cost': 'The last save paused training for {milliseconds} ms.',
  'runs.opened': 'Opened at step {step}.',
  'error.storage-room':
    'The browser had no more room, so the oldest runs without a name were deleted to save this one: {0}. Runs with a name are never deleted.',
  'error.run-file-size':
    'This run file has {0}, but at most {1} can be opened. Save the model as a checkpoint under “{=model.title}” instead.',
  'error.run-file-kind':
    '{name} is not a run file. Choose one that was made here with “{=runs.download}”; its name ends in .glasshouse. Open a text with “{=text.open}”.',
  'error.run-file-model': '{name} is a model without its run. Open it with “{=model.open}”.',
  'error.run-file-newer':
    'This file was made by a newer Glasshouse (format {0}); this page reads up to format {1}. Reload the page, then open it again.',
  'error.run-file-short':
    'The file has only {0} of its {1} {1|byte|bytes}. Copy or download it again.',
  'error.run-file-damaged':
    'The file is damaged in its part “{name}” and was not opened. Copy or download it again.',
  'error.run-text':
    'The training text of this run ({0}) is not in the file. Open or paste that text, then open the run again. Until then its model can only write.',
  'runs.slowed':
    'While this page was hidden or the machine slept, the browser slowed training down: {done} of about {expected} {expected|step|steps} in {time}. To train at full speed, keep the page visible.',
  'runs.again': '{title}, no. {number}',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly runs: typeof runs;
  }
}
