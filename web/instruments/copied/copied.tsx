/** Passages copied from the training text: a tab, and marks on all texts of the model. */
import { useEffect, useState } from 'preact/hooks';
import { tableName } from '../../data/table-name.ts';
import type { BaseRate, CopiedRun } from '../../engine/trainer.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { ChartMark, LevelMark } from '../../kit/layers.ts';
import { markTexts } from '../../kit/marked-texts.ts';
import type { TextMark } from '../../kit/text-marks.ts';
import { Tick } from '../../kit/tick.tsx';
import type { SampleEntry } from '../../kit/written.ts';
import { messageOf } from '../../store/messages.ts';
import { shownSample } from '../../store/timeline.ts';
import { chanceOf } from '../../store/training/chance.ts';
import { KeptTrace } from '../../store/training/kept-trace.ts';
import type { TextTrace } from '../../store/training/text-trace.ts';
import { panelWith, useChartMarks, useInstrument } from '../component.tsx';
import type { LaterContext } from '../panel.ts';
import { usePlaceNote } from '../common/place-note.tsx';
import type { OpenPlace } from '../common/place-note.tsx';
import { Baselines } from './baselines.tsx';
import { CheckedText } from './checked-text.tsx';
import { MemorisedPart } from './memorised-part.tsx';
import { memorisedMark, memorisedOf } from './memorised.ts';
import { saveFound } from './save-found.ts';
import { baseText, saidOf } from './sentences.ts';
import { CopiedState } from './state.ts';

/** Maximum order of tables with a line in the chart: lines of higher orders would overlap. */
const LAST_LINE = 3;

export const createCopied = panelWith(Copied, 'always');

function Copied() {
  const context = useInstrument();
  const { words, session, kept, textMarks, container } = context;
  const { t, number } = words;
  const [said, say] = useState('');
  const state = kept(CopiedState);
  const trace = kept(KeptTrace).of(context);
  const key = trace?.key ?? null;
  const found = state.of(key);
  const error = trace?.refusal ?? found?.error ?? null;
  const shown = (): SampleEntry | undefined => shownSample(session(), context.state.lookedAt);
  const isOpen = context.state.tab === 'copied';
  useEffect(() => {
    if (isOpen && key !== null) state.retry(key);
  }, [isOpen, key]);
  useEffect(() => {
    if (trace !== null) void state.lookUp(trace, shown);
  });

  const [note, openPlace] = usePlaceNote();
  const isKnown = found !== null && found.base !== null;
  const isMarked = state.marks.value;
  useEffect(() => {
    if (!isKnown || trace === null) return;
    const marking = { trace, state, words, openPlace };
    markTexts(textMarks, 'copied', (text, _, place) =>
      // A checked text is always marked, other texts by the reader's choice.
      isMarked || container.contains(place) ? marksOf(text, marking) : [],
    );
    return () => markTexts(textMarks, 'copied', null);
  }, [isKnown, isMarked, trace, key]);
  const yardsticks = found?.yardsticks ?? null;
  const drawn = [state.lines.value, state.memorised.value, key, yardsticks !== null];
  useChartMarks('copied', drawn.join(), () => chartMarks(context, state));

  const documents = session()?.current?.info.documents ?? false;
  const newest = found?.newest ?? null;
  const base = found?.base ?? null;
  const parts = { documents, base, newest };
  const progress = trace?.progress.value ?? (key !== null && state.busy.value === key ? 0 : 1);
  let status = '';
  if (error !== null) status = messageOf(error, words);
  else if (newest === null && progress < 1) {
    status = t('copied.indexing', { share: number(Math.floor(progress * 100)) });
  } else if (newest === null) {
    status = t(shown() === undefined ? 'copied.wait' : 'copied.looking');
  }
  return (
    <>
      <p class="lead">{t('copied.lead')}</p>
      <Tick choice={state.marks} text={t('copied.marks')} />
      <p class={error === null ? 'note' : 'note error'} role="status" data-part="copied-status">
        {status}
      </p>
      <p data-part="copied-said">{error === null ? saidOf(parts, words) : ''}</p>
      <p class="note" data-part="copied-base">
        {error === null ? baseText(parts, words) : ''}
      </p>
      {found === null || newest === null || error !== null ? null : (
        <p class="copied-save">
          {t('copied.save')}
          {(['json', 'csv'] as const).map((form) => (
            <button
              type="button"
              class="link"
              onClick={() => {
                saveFound(context, found, form).then(say, (thrown: unknown) => {
                  state.fail(found.key, thrown);
                });
              }}
            >
              {form.toUpperCase()}
            </button>
          ))}
          <span class="note" role="status">
            {said}
          </span>
        </p>
      )}
      <CheckedText trace={trace} base={base} />
      <MemorisedPart />
      {trace === null || yardsticks === null || error !== null ? null : (
        <Baselines yardsticks={yardsticks} trace={trace} />
      )}
      {note}
    </>
  );
}

interface Marking {
  readonly trace: TextTrace;
  readonly state: CopiedState;
  readonly words: AllWords;
  readonly openPlace: OpenPlace;
}

/** Marks of the matches of a text. Empty after an error, which the tab shows. */
async function marksOf(text: string, marking: Marking): Promise<readonly TextMark[]> {
  const { trace, state } = marking;
  const { runs, base } = (await state.ask(trace, (trainer) => trainer.trace(text))) ?? {
    runs: [],
    base: null,
  };
  return base === null ? [] : runs.map((run) => markOf(text, run, base, marking));
}

function markOf(
  text: string,
  run: CopiedRun,
  base: BaseRate,
  { words: { t }, openPlace }: Marking,
): TextMark {
  const { start, end, characters, isLine } = run;
  const chance = chanceOf(run, base);
  const line = chance === null ? t('copied.line') : t(`copied.line.${chance}`);
  return {
    start,
    end,
    note: isLine ? line : t('copied.part', { characters }),
    onPress: (pressed) => openPlace(pressed, text, run),
  };
}

/** Chart marks: losses of the tables, and memorised passages. */
function chartMarks(context: LaterContext, state: CopiedState): readonly ChartMark[] {
  const { words, session, kept } = context;
  const all = state.of(kept(KeptTrace).of(context)?.key ?? null)?.yardsticks?.yardsticks ?? [];
  const levels = all
    .filter(({ order }) => order >= 0 && order <= LAST_LINE)
    .map(({ order, nats, bits }): LevelMark => ({
      level: { nats, bits },
      label: tableName(order, words),
    }));
  const points = memorisedOf(session())?.points ?? [];
  const isDrawn = state.memorised.value && points.length > 0;
  return [...(state.lines.value ? levels : []), ...(isDrawn ? [memorisedMark(points, words)] : [])];
}
