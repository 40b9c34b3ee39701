/** The embeddings panel: vectors of the model at the viewed step, as points of a plane. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { fileName } from '../../base/file-name.ts';
import { findOption, valueOf } from '../../engine/options.ts';
import { sentences } from '../../i18n/index.ts';
import { TermButton } from '../../kit/term-button.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import { messageOf } from '../../store/messages.ts';
import type { Session } from '../../store/training/session.ts';
import { shownFile } from '../../store/training/shown-name.ts';
import { Finding } from '../common/finding.tsx';
import { panelWith, useInstrument } from '../component.tsx';
import { findTogether } from './found.ts';
import { Plane } from './plane.tsx';
import { namesOf } from './point-names.ts';
import { usePoints } from './points.ts';
import type { Points, Wish } from './points.ts';
import { choicesOf } from './shown.ts';
import { PlaneState } from './state.ts';

export const createEmbeddings = panelWith(Embeddings);

function Embeddings() {
  const { words, session, state, kept } = useInstrument();
  const { t } = words;
  const id = useFreshId('plane');
  const chosen = kept(PlaneState).shown;
  const layers = layersOf(session());
  const choices = choicesOf(layers);
  // The chosen block, or the last one if the model has fewer.
  const shown = typeof chosen.value === 'number' ? Math.min(chosen.value, layers) : chosen.value;
  const run = session()?.run ?? null;
  const head = (
    <>
      <p class="lead">
        {t('plane.lead')} <TermButton id="pca" text={t('glossary.more')} />
      </p>
      <div class="plane-row">
        <label for={id}>{t('plane.shown')}</label>
        <select
          id={id}
          value={String(shown)}
          onChange={({ currentTarget }) => {
            chosen.value = choices[currentTarget.selectedIndex] ?? 'tokens';
          }}
        >
          {choices.map((choice) => (
            <option value={String(choice)}>
              {typeof choice !== 'number'
                ? t(`plane.shown.${choice}`)
                : choice === 0
                  ? t('plane.shown.before')
                  : t('plane.shown.after', { block: choice })}
            </option>
          ))}
        </select>
      </div>
    </>
  );
  return run === null ? (
    <>
      {head}
      <p class="note" role="status" data-part="plane-status">
        {t('plane.empty')}
      </p>
    </>
  ) : (
    <PointsOf
      run={run.number}
      shown={shown}
      text={typeof shown === 'number' ? state.probe : ''}
      past={session()?.lookedAt.pastStep ?? null}
      isFinished={run.state === 'finished'}
    >
      {head}
    </PointsOf>
  );
}

/** Says which tokens training brought together; the press chooses one of them. */
function Together({ points }: { readonly points: Points }) {
  const { words, kept } = useInstrument();
  const { t } = words;
  const { matrix, step, key } = points;
  const { chosen } = kept(PlaneState);
  const { kinds, labels, spoken } = useMemo(() => namesOf(points, words), [key, matrix.rows]);
  // Before the first step, neighbours are chance.
  const found = useMemo(
    () => (kinds === null || step === 0 ? null : findTogether(matrix, kinds)),
    [matrix, kinds],
  );
  if (found === null) return null;
  const [one = 0, other = 0] = found.rows;
  const list = found.rows.map((row) => labels[row] ?? '').join(t('list.separator'));
  const pair = { one: spoken[one] ?? '', other: spoken[other] ?? '' };
  return (
    <Finding
      text={found.what === 'vowels' ? t('plane.vowels', { list }) : t('plane.pair', pair)}
      show={{
        text: t('plane.show'),
        onPress: () => {
          chosen.value = { ...chosen.value, [key]: one };
        },
      }}
    />
  );
}

/** Number of blocks of the model; 0 if unknown. */
function layersOf(session: Session | null): number {
  const { table = null, current = null } = session ?? {};
  if (table === null || current === null || findOption(table, 'layers') === undefined) return 0;
  return valueOf(table, current.recipe, 'layers');
}

function PointsOf({ children, ...wish }: Wish & { readonly children: ComponentChildren }) {
  const { words, session, runs, isDark, kept } = useInstrument();
  const { t, number } = words;
  const { shown, text } = wish;
  const { points, broken, error, takeAxes } = usePoints(wish);
  const isText = typeof shown === 'number';
  const none = { omitted: 0, unused: 0, matrix: null };
  const { omitted, unused, matrix } = points?.shown === shown ? points : none;
  const left = { count: omitted, first: number(matrix?.rows ?? 0) };
  const note = sentences(
    [
      isText ? t('plane.text', { text }) : '',
      unused === 0 ? '' : t('plane.unused', { count: unused }),
      omitted === 0 ? '' : t(`plane.omitted.${isText ? 'text' : 'rows'}`, left),
    ],
    words,
  );
  let status = '';
  if (error !== null) status = messageOf(error, words);
  else if (broken !== null) status = t('plane.broken', { step: number(broken) });
  else if (points === null) status = t('plane.wait');
  const dark = isDark();
  const plane = useMemo(
    () =>
      points === null ? null : (
        <Plane
          points={points}
          isDark={dark}
          chosen={kept(PlaneState).chosen}
          onAxes={takeAxes}
          fileName={() => fileName('embeddings', shownFile(session(), runs), points.step)}
        />
      ),
    [points, dark],
  );
  return (
    <>
      {points === null ? null : <Together points={points} />}
      {children}
      {note === '' ? null : (
        <p class="note" data-part="plane-note">
          {note}
        </p>
      )}
      {status === '' ? null : (
        <p class="note" role="status" data-part="plane-status">
          {status}
        </p>
      )}
      {status === '' ? plane : null}
    </>
  );
}
