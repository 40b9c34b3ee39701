/** The losses of a run: the curve with its key, a summary in words, notes, and earlier runs. */
import { effect, useSignalEffect } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { randomKey } from '../../data/loss-data.ts';
import { Folds } from '../../kit/folds.ts';
import { loadable } from '../../kit/loadable.ts';
import { useResize } from '../../kit/resize.ts';
import { firstPanelWith, KeptFold, useContextOnly } from '../component.tsx';
import { LineSample } from './earlier-line.tsx';
import { longestSentence, runSentence } from './loss-sentences.ts';
import { lossesOf, useShown } from './losses.ts';
import type { Losses, LossProps } from './losses.ts';
import { Notes } from './notes.tsx';

export const createLoss = firstPanelWith(Loss);

function Loss() {
  const instrument = useContextOnly();
  const [losses] = useState(() => lossesOf(instrument));
  const isOpen = instrument.kept(Folds).isOpen('loss.more');
  useLayoutEffect(() => fetchLater(losses, isOpen), [losses]);
  useSignalEffect(() => losses.followRun());
  return (
    <>
      <h2 ref={losses.title} tabIndex={-1}>
        {losses.words.t('loss.title')}
      </h2>
      <Legend losses={losses} />
      <Curve losses={losses} />
      <Summary losses={losses} />
      <Notes losses={losses} />
      <Later losses={losses} name="EarlierList" />
      <KeptFold name="loss.more" kind="loss-more" title={losses.words.t('loss.more')}>
        {() => <Later losses={losses} name="LossControls" />}
      </KeptFold>
    </>
  );
}

/** Loads the rest of the code once there is something to draw, or the reader opens the fold. */
function fetchLater(losses: Losses, isOpen: Signal<boolean>): () => void {
  const coming = loadable(
    () => import('./later.ts'),
    (later) => {
      losses.later.value = later;
    },
  );
  const stop = effect(() => {
    const { randomLoss, history, lines } = losses.data.value;
    const isDrawn = Number.isFinite(randomLoss) || history.length + lines.length > 0;
    if (isDrawn || isOpen.value) coming.want();
  });
  return () => {
    stop();
    coming.cancel();
  };
}

function Legend({ losses }: LossProps) {
  const { t } = losses.words;
  const { smoothing, unit } = losses.look.value;
  const hasValidation = useShown(losses, () => losses.data.value.hasValidation);
  const shown = losses.lines.value.filter((line) => line.shown);
  // Without smoothing, the two losses are equal: the legend has one entry, in the smoothed style.
  const isPlain = smoothing === 0;
  return (
    <ul class="legend">
      <li class={`key key-${isPlain ? 'smoothed' : 'train'}`}>{t('loss.train')}</li>
      {isPlain ? null : <li class="key key-smoothed">{t('loss.smoothed')}</li>}
      {hasValidation ? <li class="key key-validation">{t('loss.validation')}</li> : null}
      {shown.length === 0 ? null : (
        // Run numbers instead of names, which are long; the list below shows both.
        <li class="key-earlier">
          {shown.map(({ id }) => (
            <span key={id}>
              <LineSample id={id} />
              {t('earlier.short', { number: id + 1 })}
            </span>
          ))}
        </li>
      )}
      <li class="key key-random">{t(randomKey(unit))}</li>
    </ul>
  );
}

function Curve({ losses }: LossProps) {
  const { t } = losses.words;
  const box = useRef<HTMLDivElement>(null);
  const later = losses.later.value;
  const hint = useShown(losses, () => hintOf(losses));
  return (
    <div class="loss-frame">
      <div class="loss-main">
        <div
          ref={box}
          class="loss-plot"
          tabIndex={0}
          role="application"
          aria-label={t('loss.chart')}
        />
        {hint === null ? null : <p class="loss-hint">{t(hint)}</p>}
      </div>
      {later === null ? null : <later.Plot losses={losses} box={box} />}
    </div>
  );
}

/**
 * The hint over an empty chart; null if a curve is drawn, if the opened model cannot be trained, or
 * while the text is being tokenized.
 */
function hintOf({ data, session }: Losses) {
  const { history, lines, randomLoss } = data.value;
  const now = session();
  const opened = now?.current?.model ?? null;
  const isDrawn = history.length > 0 || lines.some(({ shown }) => shown);
  if (isDrawn || (opened !== null && now?.trains !== true)) return null;
  if (Number.isFinite(randomLoss)) return opened === null ? 'loss.empty' : 'loss.empty.opened';
  return now !== null && now.error !== null ? 'loss.empty.barred' : null;
}

function Summary({ losses }: LossProps) {
  const { data, look, plot, session, words } = losses;
  const line = useRef<HTMLSpanElement>(null);
  const width = useRef(0);
  const pointed = plot.value?.sentence.value ?? null;
  const said = useShown(losses, () => runSentence(data.value, look.value, session(), words));
  const longest = useShown(losses, () => longestSentence(data.value, look.value, words));
  useLayoutEffect(() => {
    const { style, offsetHeight } = line.current!;
    // Each pointer move changes the text: a shrinking line would move the page below it.
    if (pointed !== null) {
      style.minHeight = `${String(Math.max(parseFloat(style.minHeight) || 0, offsetHeight))}px`;
    }
  }, [pointed]);
  useResize(() => {
    const { style, offsetWidth } = line.current!;
    if (offsetWidth !== width.current) style.minHeight = '';
    width.current = offsetWidth;
  });
  return (
    <p class="summary" data-part="loss-summary" data-longest={longest}>
      <span ref={line}>{pointed ?? said}</span>
    </p>
  );
}

interface LaterProps extends LossProps {
  readonly name: 'EarlierList' | 'LossControls';
}

function Later({ losses, name }: LaterProps) {
  const Part = losses.later.value?.[name];
  return Part === undefined ? null : <Part losses={losses} />;
}
