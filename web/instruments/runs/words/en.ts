/** Runs that are kept in the browser. */
export const runs = {
  'runs.lead':
    'Runs are kept in this browser, on this machine; nothing is sent anywhere. Each keeps its model, its text, its curve and its samples, and goes on to the last bit. The newest {count} stay by themselves; a run with a name stays until you delete it. A text that you opened stays for three days after its last use, so that a reload brings it back.',
  'runs.empty': 'No run is kept yet. A run is saved while it trains, and when it pauses.',
  'runs.denied':
    'This browser keeps nothing for this page, as in some private windows and embedded frames. Everything else works; to keep a run, save a checkpoint under “{=model.title}”.',
  'runs.unfetched':
    'The part of this page that keeps runs could not be fetched. Check the connection: it is asked for again by itself, and the runs are listed here then.',
  'runs.caption': 'Saved runs',
  'runs.col.run': 'Run',
  'runs.col.step': 'Step',
  'runs.col.loss': 'Loss ({unit})',
  'runs.col.loss.usual': 'Loss, smoothed as usual ({unit})',
  'runs.col.saved': 'Saved',
  'runs.col.size': 'Size',
  'runs.col.actions': 'What to do with it',
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
  'runs.download.go': 'Download the run',
  'runs.download.help':
    'One file with weights, optimiser, curve and samples, to open here in any browser. Without its text the run goes on only where that text is opened as well.',
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
    'It is open in another tab, and can be deleted there, or here once that tab is closed.',
  'runs.past':
    'To look back at the last two runs {used} is kept, which goes first where room is short.',
  'runs.use': 'All that this page keeps takes {used} of about {quota} that the browser allows.',
  'runs.persisted': 'The browser will not clear them by itself.',
  'runs.persist': 'Ask the browser not to clear them',
  'runs.cost': 'The last save held training up for {milliseconds} ms.',
  'runs.opened': 'Opened, at step {step}.',
  'error.storage-room':
    'The browser had no more room, so the oldest runs without a name were deleted to save this one: {0}. A run with a name is never deleted.',
  'error.run-file-size':
    'A run file may have at most {1}, and this one has {0}. Save the model as a checkpoint under “{=model.title}” instead.',
  'error.run-file-kind':
    '{name} is not a run file. Choose one that was made here with “{=runs.download}”; its name ends in .glasshouse. A text is opened with “{=text.open}”.',
  'error.run-file-model': '{name} is a model without its run. Open it with “{=model.open}”.',
  'error.run-file-newer':
    'This file was made by a newer Glasshouse (format {0}); this page reads up to format {1}. Reload the page, then open it again.',
  'error.run-file-short':
    'The file has {0} of its {1} {1|byte|bytes}: it was not copied whole. Copy or download it again.',
  'error.run-file-damaged':
    'The file is damaged and was not opened; what differs is its part “{name}”. Copy or download it again.',
  'error.run-text':
    'The text that this run learned ({0}) is not in the file and not here. Open or paste that text, then open the run again. Until then its model can write.',
  'runs.slowed':
    'While this page was hidden or the machine slept, the browser slowed the run down: {done} of about {expected} {expected|step|steps} in {time}. To train at full speed, keep the page in sight.',
  'runs.again': '{title}, no. {number}',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly runs: typeof runs;
  }
}
