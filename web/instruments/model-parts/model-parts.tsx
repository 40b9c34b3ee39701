/**
 * The model of the chosen settings: its architecture as a diagram, and beside it the chosen part
 * with its explanation, its options, and its numbers in the current run.
 */
import './parts.css';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isIdle } from '../../base/idle-option.ts';
import { fairUnit, unitFactor, unitKey } from '../../data/loss-data.ts';
import type { ShownEntry } from '../../docs/shown-entry.ts';
import { fitsRecipe } from '../../engine/options.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords, Lang } from '../../i18n/index.ts';
import { LockedPart } from '../../kit/locked-part.tsx';
import { SteadyText } from '../../kit/steady-text.tsx';
import { messageOf, placeOf } from '../../store/messages.ts';
import type { PageState } from '../../store/page-state.ts';
import type { Session } from '../../store/training/session.ts';
import { KeptFold, panelWith, useArrival, useInstrument } from '../component.tsx';
import { leadToMistake } from '../lead-to-mistake.ts';
import { PartsState } from '../parts-state.ts';
import type { SizeBefore } from '../parts-state.ts';
import { ChoiceTable, choiceText, optionTitle, signed } from './choice-table.tsx';
import type { ModelOptions } from './choice-table.tsx';
import { focusOnChosen } from './diagram.tsx';
import { loadEntries } from './docs-entries.ts';
import { Overview } from './overview.tsx';
import { PartPanel } from './part-panel.tsx';
import { NOT_OF_THE_MODEL, partOf, useWantedModel, valuesOf } from './wanted-model.ts';
import type { WantedModel } from './wanted-model.ts';

export const createModelParts = panelWith(ModelParts, 'open');

/** Loads the documentation entries and the font of their formulas. */
export async function preload(lang: Lang): Promise<void> {
  await Promise.all([loadEntries(lang), document.fonts.load("1em 'Docs Math'")]);
}

/**
 * Media query for one column; diagram and part are side by side otherwise, as in the style sheet.
 */
const STACKED = '(width < 56rem)';

function ModelParts() {
  const session = useInstrument().session();
  return session === null ? null : <PartsOf session={session} />;
}

function PartsOf({ session }: { readonly session: Session }) {
  const { words, kept, actions, lesson } = useInstrument();
  const { t } = words;
  const { table, recipe, plan, error } = session;
  const state = kept(PartsState);
  const values = valuesOf(session);
  const wanted = useWantedModel(session, values);
  const { model, isCurrent, effectOf } = wanted;
  const part = model === null ? null : partOf(model, state.part.value);
  const entries = useEntries(words.lang);
  const [diagramBox, partBox] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const picture = useRef<SVGSVGElement>(null);
  const choicesBox = useRef<HTMLDivElement>(null);
  const [above, setAbove] = useState(0);
  const isLed = useSignal(false);
  useArrival(() => {
    isLed.value = true;
  });

  /**
   * Size of the model when the focused text field received the focus; null if the focus moved to
   * another kind of control. An edit is compared with this size, because each half-typed value
   * makes another model.
   */
  const typed = useRef<SizeBefore | null>(null);
  const sizeNow = (): SizeBefore => ({
    before: model?.parameters ?? 0,
    bytes: plan?.totalBytes ?? null,
  });
  const onFocusIn = ({ target }: FocusEvent): void => {
    const isText = target instanceof HTMLInputElement && target.type === 'text';
    typed.current = isText ? sizeNow() : null;
  };

  const fields = useMemo(
    () =>
      table.options.filter(
        ({ name, group }) => (group === 'model' || group === 'data') && !NOT_OF_THE_MODEL.has(name),
      ),
    [table],
  );
  const message = error === null ? '' : messageOf(error, words);
  const places = error === null ? [] : placeOf(error).options;
  const errors: Readonly<Record<string, string>> = Object.fromEntries(
    places.map((name) => [name, message]),
  );
  const options: ModelOptions = {
    fields,
    values,
    errors,
    fits: (name, value) => fitsRecipe(table, recipe, name, value),
    isShown: (option) => (errors[option.name] ?? '') !== '' || !isIdle(option, fields, values),
    onChange: (option, value) => {
      state.changed.value = { option, value, ...(typed.current ?? sizeNow()) };
      actions.onOption(option, value);
    },
  };

  const effect = changeText(session, state, wanted, words);
  const locked = lesson.lock.has('settings') ? t('app.locked') : '';
  const block = Math.min(state.block.value, Math.max(0, (model?.layers ?? 1) - 1));
  const choices = useMemo(
    () => <ChoiceTable presets={table.presets} options={options} effectOf={effectOf} />,
    [recipe, plan, error, model, isCurrent],
  );

  /**
   * In one column, scrolls to the panel of the part. Beside the diagram, moves the panel to the top
   * of the window instead, so that the pressed button stays in place.
   */
  const enterPart = (): void => {
    const box = partBox.current!;
    const isStacked = matchMedia(STACKED).matches;
    setAbove(isStacked ? 0 : Math.max(0, -box.getBoundingClientRect().top));
    if (isStacked) box.scrollIntoView({ block: 'start' });
  };
  const facts = (parameters: number): string => {
    const step = isCurrent ? (session.run?.step ?? 0) : 0;
    return t(step > 0 ? 'parts.facts.moved' : 'parts.facts', { parameters, step });
  };
  const memory = plan === null ? '' : t('parts.memory', { bytes: words.bytes(plan.totalBytes) });
  return (
    <>
      <SteadyText class="tab-finding" data-part="parts-facts">
        {model === null ? '' : facts(model.parameters)}
      </SteadyText>
      <p class="lead">{t('parts.lead')}</p>
      <p class="parts-facts">{memory}</p>
      <SteadyText class="note" role="status" data-part="parts-effect">
        {effect}
      </SteadyText>
      {message === '' ? null : (
        <p class="note error" role="alert">
          {message}
        </p>
      )}
      {model === null || part === null ? null : (
        <div class="parts" onFocusIn={onFocusIn}>
          <Overview
            box={diagramBox}
            picture={picture}
            model={model}
            part={part.id}
            block={block}
            isStale={message !== ''}
            onChoose={(to, inBlock, isPointed) => {
              state.choosePart(to, inBlock);
              if (isPointed) enterPart();
            }}
          />
          <PartPanel
            session={session}
            model={model}
            part={part}
            block={block}
            options={options}
            entry={entries.get(part.entry)}
            locked={locked}
            box={partBox}
            above={above}
            isLed={isLed}
            onBack={() => {
              diagramBox.current?.scrollIntoView({ block: 'start' });
              if (picture.current !== null) focusOnChosen(picture.current);
            }}
          />
        </div>
      )}
      <KeptFold name="choices" kind="data choices-fold" title={t('choices.title')}>
        {() => (
          <>
            <p class="note">{t('choices.lead')}</p>
            <LockedPart text={locked}>
              <div
                ref={choicesBox}
                class="part-scroll"
                tabIndex={0}
                role="region"
                aria-label={t('choices.title')}
                onFocusIn={onFocusIn}
              >
                {model === null ? null : choices}
              </div>
            </LockedPart>
          </>
        )}
      </KeptFold>
      <BelowChoices
        session={session}
        effect={effect}
        // The button disappears when pressed, so the focus moves to the table.
        onRenew={() => choicesBox.current?.focus({ preventScroll: true })}
      />
    </>
  );
}

/** Documentation entries by id; empty until loaded, and if loading fails. */
function useEntries(lang: Lang): ReadonlyMap<string, ShownEntry> {
  const [entries, setEntries] = useState<ReadonlyMap<string, ShownEntry>>(new Map());
  useEffect(() => {
    loadEntries(lang).then(
      ({ default: all }) => setEntries(new Map(all.map((entry) => [entry.id, entry]))),
      () => undefined,
    );
  }, []);
  return entries;
}

/** Effect of the last change in this tab on the size of the model; empty if none or unknown. */
function changeText(
  { table, plan }: Session,
  { changed }: PartsState,
  { model, isCurrent }: WantedModel,
  words: AllWords,
): string {
  if (changed.value === null || model === null || !isCurrent) return '';
  const { t } = words;
  const { option, value, before, bytes: bytesBefore } = changed.value;
  const field = table.options.find(({ name }) => name === option);
  const names = {
    option: optionTitle(option, words),
    value: field === undefined ? String(value) : choiceText(field, value, words),
  };
  const parameters = model.parameters - before;
  const size =
    parameters === 0
      ? t('choices.same', names)
      : t('choices.effect', { ...names, parameters: signed(parameters, words.number) });
  // The new plan may not be known yet.
  const bytes = plan === null || bytesBefore === null ? 0 : plan.totalBytes - bytesBefore;
  if (bytes === 0) return size;
  return sentences([size, t('choices.memory', { memory: signed(bytes, words.bytes) })], words);
}

interface BelowChoicesProps {
  readonly session: Session;
  /** Effect of the last change; empty if unknown. */
  readonly effect: string;
  readonly onRenew: () => void;
}

/**
 * Effect of a change in the table, repeated below it, because the line above the diagram and the
 * run bar may be out of sight.
 */
function BelowChoices({ session, effect, onRenew }: BelowChoicesProps) {
  const { words, state, goTo, reveal } = useInstrument();
  const { t } = words;
  const isBefore = (session.run?.step ?? 0) > 0 && session.trains && session.pending().length > 0;
  if (effect === '' && !isBefore) return null;
  const progress = progressText(session, words, state);
  return (
    <p class="note choices-changed" data-part="choices-changed">
      <span>{sentences([effect, effect === '' ? '' : progress], words)}</span>
      {isBefore ? (
        <>
          {' '}
          {/* Hidden on phones, where the run bar below says the same. */}
          <span class="said-by-run-bar">{t('run.changed.resting')}</span>{' '}
          <button
            type="button"
            class="secondary small"
            onClick={() => {
              onRenew();
              if (leadToMistake(session, goTo)) return;
              reveal();
              session.restart(true);
            }}
          >
            {t('run.restart')}
          </button>
        </>
      ) : null}
    </p>
  );
}

/** Progress of training; empty without a run, or while changed settings need a new run. */
function progressText(session: Session, words: AllWords, state: Readonly<PageState>): string {
  const { run, trains, tokensPerCharacter, earlier } = session;
  const { smoothing, unit: wanted } = state.lossChoice;
  const loss = run?.history.smoothedLast(smoothing);
  if (run === null || loss === undefined || !trains || session.pending().length > 0) return '';
  const { number, t } = words;
  const unit = fairUnit(wanted, { tokensPerCharacter, lines: earlier.all });
  return t('parts.progress', {
    step: number(run.step),
    steps: number(run.steps),
    loss: number(loss * unitFactor({ unit }, tokensPerCharacter.train), 2),
    unit: t(unitKey(unit)),
  });
}
