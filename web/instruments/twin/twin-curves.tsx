/** Curves of the runs in one picture, scrolled into view once per twin. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { scrollBehavior } from '../../kit/dom.ts';
import { THEMED } from '../../kit/palette.ts';
import { lossPicture } from '../../kit/pictures/loss-picture.ts';
import { useResize } from '../../kit/resize.ts';
import { useInstrument } from '../component.tsx';
import type { Compared } from './comparison.tsx';

/**
 * Milliseconds until the layout around a new run has settled. If the layout changes during a smooth
 * scroll, the browser's scroll anchoring makes it jump.
 */
const SETTLED = 700;

export interface TwinCurvesProps {
  readonly shown: Compared;
  /** Whether to scroll the next picture into view. */
  readonly brings: { current: boolean };
}

export function TwinCurves({ shown, brings }: TwinCurvesProps) {
  const { words } = useInstrument();
  const { t } = words;
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef('');
  const later = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const { rows, loss, look, isBusy } = shown;
  const names = rows.map(({ name }) => name);
  const all = [loss, ...loss.lines.filter((line) => line.shown)];
  const isPaired = all.some(({ history }) => history.validations.length > 0);

  const draw = (): void => {
    const width = Math.min(960, box.current!.clientWidth);
    const { length } = loss.history;
    const key = JSON.stringify([width, look, length, names]);
    if (width === 0 || key === drawn.current) return;
    drawn.current = key;
    const picture = lossPicture(
      loss,
      { ...look, beneath: false },
      {
        words,
        title: t('twin.curves', { step: length }),
        palette: THEMED,
        size: { width, height: width < 600 ? 280 : 320 },
        heading: false,
        // At most one point per pixel, because the picture is redrawn during training.
        most: width,
        name: names[0] ?? '',
        paired: isPaired,
      },
    );
    box.current!.replaceChildren(picture);
    if (!brings.current) return;
    // Scrolls only once, because a reader may scroll elsewhere.
    brings.current = false;
    clearTimeout(later.current);
    later.current = setTimeout(() => {
      box.current?.scrollIntoView({ block: 'nearest', behavior: scrollBehavior() });
    }, SETTLED);
  };
  useLayoutEffect(draw, [shown]);
  // During training, the next update of the comparison redraws the curves at the new width.
  useResize(() => {
    if (!isBusy) draw();
  });
  useEffect(() => () => clearTimeout(later.current), []);
  return (
    <div class="twin-curves">
      <div ref={box} />
      {isPaired ? (
        <p class="note" data-part="twin-dashed">
          {t('twin.curves.dashed')}
        </p>
      ) : null}
    </div>
  );
}
