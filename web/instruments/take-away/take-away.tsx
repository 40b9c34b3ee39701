/** Exports of a run: a report, the loss curve, and the model packed for other programs. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { fileName } from '../../base/file-name.ts';
import { TRACES } from '../../base/form.ts';
import { fairUnit } from '../../data/loss-data.ts';
import { download, saidSaved } from '../../kit/download.ts';
import { ExportRow } from '../../kit/export-row.tsx';
import { lossPicture } from '../../kit/pictures/loss-picture.ts';
import { shows } from '../../store/address/lesson.ts';
import { lossCsv } from '../../store/training/loss-csv.ts';
import { lossData } from '../../store/training/loss-data-of.ts';
import { lossNotes } from '../../store/training/loss-reading.ts';
import { shownFile } from '../../store/training/shown-name.ts';
import { panelWith, useInstrument } from '../component.tsx';
import { FormatList } from './formats/list.tsx';
import { makeReport } from './make-report.ts';

export const createTakeAway = panelWith(TakeAway, 'open');

function TakeAway() {
  const { words, session, lesson, startQuestions } = useInstrument();
  const { t } = words;
  const { run = null } = session() ?? {};
  if (run === null || run.history.length === 0) return <p class="muted">{t('take.empty')}</p>;
  return (
    <div class="take-away">
      <Report />
      <Loss />
      {shows(lesson, 'model') && !lesson.lock.has('model') ? <ModelLink /> : null}
      {TRACES && startQuestions !== null ? (
        <Part title={t('formats.title')} help={t('formats.help')}>
          <FormatList key={run.number} start={startQuestions} />
        </Part>
      ) : null}
    </div>
  );
}

interface PartProps {
  readonly title: string;
  readonly help: string;
  readonly children: ComponentChildren;
}

function Part({ title, help, children }: PartProps) {
  return (
    <div class="take-part">
      <h3>{title}</h3>
      <p class="note">{help}</p>
      {children}
    </div>
  );
}

function Report() {
  const context = useInstrument();
  const { words, session, runs } = context;
  const { t } = words;
  const [said, say] = useState('');
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<string> => {
    const now = session();
    if (now === null) return '';
    const { html, step } = await makeReport(now, context);
    const name = `${fileName('report', shownFile(now, runs), step)}.html`;
    download(new Blob([html], { type: 'text/html;charset=utf-8' }), name);
    return saidSaved(t('export.saved', { name }), words);
  };
  return (
    <Part title={t('take.report')} help={t('take.report.help')}>
      <button
        type="button"
        class="primary"
        disabled={isBusy}
        onClick={() => {
          setBusy(true);
          say(t('report.busy'));
          void save()
            .catch(() => t('report.failed'))
            .then((result) => {
              say(result);
              setBusy(false);
            });
        }}
      >
        {t('report.save')}
      </button>
      <p class="note" role="status">
        {said}
      </p>
    </Part>
  );
}

function Loss() {
  const { words, state, session, runs } = useInstrument();
  const { t } = words;
  const losses = () => lossData(session(), runs, words);
  const shown = losses();
  const notes = lossNotes(shown, { unit: fairUnit(state.lossChoice.unit, shown) }, words);
  return (
    <Part title={t('take.loss')} help={t('take.loss.help')}>
      {notes === '' ? null : <p class="note">{notes}</p>}
      <ExportRow
        words={words}
        what={t('export.what.loss')}
        asSvg
        name={() => fileName('loss', shownFile(session(), runs), losses().history.length)}
        draw={() => {
          const data = losses();
          if (data.history.length === 0) return null;
          const title = t('loss.picture', { step: data.history.length });
          const { lossChoice } = state;
          const unit = fairUnit(lossChoice.unit, data);
          return lossPicture(data, { ...lossChoice, unit, window: null }, { words, title });
        }}
        csv={() => lossCsv(losses().history, state.lossChoice.smoothing)}
      />
    </Part>
  );
}

/** A link to the section that saves the model. */
function ModelLink() {
  const { words, goTo } = useInstrument();
  const { t } = words;
  return (
    <Part title={t('take.model')} help={t('take.model.help')}>
      <button type="button" class="link" onClick={() => goTo('model')}>
        {t('take.model.go')}
      </button>
    </Part>
  );
}
