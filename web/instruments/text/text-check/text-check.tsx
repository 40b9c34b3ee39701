/** The text check: a summary line, and the faults with their cures below. */
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import { SteadyText } from '../../../kit/steady-text.tsx';
import { canChange } from '../../../store/address/lesson.ts';
import { textProblem } from '../../../store/messages.ts';
import { KeptFold, panelWith, useInstrument } from '../../component.tsx';
import { adviceOn, adviceText, exampleOf } from './advice.ts';
import { EXAMINED, useExamination } from './examination.ts';
import { Treatment } from './treatment.ts';
import type { Row } from './treatment.ts';

export const createTextCheck = panelWith(TextCheck, 'open');

function TextCheck() {
  const context = useInstrument();
  const { words, state, session, lesson, kept } = context;
  const { t } = words;
  const treatment = kept(Treatment);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const now = session();
  // No check for a model that only generates, because it does not learn the text.
  const isNeeded = now !== null && state.fileSize > 0 && !now.writesOnly;
  const examined = useExamination(isNeeded ? state.version : null);
  if (!isNeeded) return null;
  const isBusy = examined?.version !== state.version;
  if (!isBusy) {
    const advice = adviceOn(examined.findings, examined.isWhole, now);
    // A text fixed by a lesson cannot be cured.
    const isFixed = !canChange(lesson, 'text');
    treatment.look(isFixed ? advice.map((one) => ({ ...one, cure: null })) : advice);
  }
  const { rows } = treatment;
  const open = rows.filter(({ found }) => found).length;
  const fine = textProblem(state.textError, now) === null ? t('text-check.fine') : '';
  const summary = open === 0 ? fine : t('text-check.count', { count: open });
  // A text without faults needs no line, except for screen readers.
  const look = rows.length === 0 ? ' visually-hidden' : open > 0 && !isBusy ? ' look' : '';
  return (
    <>
      {rows.length === 0 ? null : (
        <KeptFold name="text-check" kind="text-check-fold" title={t('text-check.title')}>
          {() => (
            <>
              <ul class="findings">
                {rows.map((row) => (
                  <Finding
                    key={row.id}
                    row={row}
                    canUndo={row.cure !== null && row.cure === treatment.last}
                    onCure={(cure) => void treatment.apply(cure, context).then(redraw)}
                    onUndo={() => void treatment.undo(context).then(redraw)}
                  />
                ))}
              </ul>
              {examined?.isWhole === false ? (
                <p class="note">{t('text-check.partly', { count: words.number(EXAMINED) })}</p>
              ) : null}
            </>
          )}
        </KeptFold>
      )}
      <SteadyText class={`note text-check-summary${look}`} role="status">
        {isBusy ? t('text-check.busy') : summary}
      </SteadyText>
    </>
  );
}

interface FindingProps {
  readonly row: Row;
  readonly canUndo: boolean;
  readonly onCure: (cure: NonNullable<Row['cure']>) => void;
  readonly onUndo: () => void;
}

function Finding({ row, canUndo, onCure, onUndo }: FindingProps) {
  const { words } = useInstrument();
  const { t } = words;
  const { id, found, cure } = row;
  const root = useRef<HTMLLIElement>(null);
  const press = useRef<HTMLButtonElement>(null);
  const undo = useRef<HTMLButtonElement>(null);
  // Looks for the focus before rendering disables or removes the button that has it.
  const hasFocus = root.current?.matches(':focus-within') === true;
  useLayoutEffect(() => {
    if (hasFocus) (canUndo ? undo : press).current?.focus({ preventScroll: true });
  }, [canUndo]);
  const label = cure === null ? '' : t(`text-check.fix.${cure}`);
  return (
    <li ref={root} class={found ? 'finding look' : 'finding past'} data-finding={id}>
      {/* Screen readers do not announce crossed-out text. */}
      {found ? null : <span class="visually-hidden">{t('text-check.past')}</span>}
      <p>{adviceText(row, words)}</p>
      {cure === null ? null : (
        <div class="remedy">
          <button
            ref={press}
            type="button"
            class="link"
            disabled={!found}
            onClick={() => onCure(cure)}
          >
            {label}
          </button>
          {canUndo ? (
            <button
              ref={undo}
              type="button"
              class="link"
              aria-label={t('text-check.undo.one', { what: label })}
              onClick={onUndo}
            >
              {t('text-check.undo')}
            </button>
          ) : null}
          <span class="note" translate={false}>
            {exampleOf(row, words)}
          </span>
        </div>
      )}
    </li>
  );
}
