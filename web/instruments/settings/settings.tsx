/**
 * The preset, and all options of data, model and training: the basic options, and the others in
 * folds. A field keeps an invalid text and shows its error.
 */
import { isIdle } from '../../base/idle-option.ts';
import {
  differingOptions,
  fitsRecipe,
  sameRecipe,
  valueOf,
  wrongValues,
} from '../../engine/options.ts';
import type { Option, Recipe } from '../../engine/options.ts';
import type { Words } from '../../i18n/index.ts';
import { Folds } from '../../kit/folds.ts';
import { OptionField } from '../../kit/option-field.tsx';
import { drawChanges } from '../../kit/render.ts';
import { Segments } from '../../kit/segments.tsx';
import { messageOf, placeOf } from '../../store/messages.ts';
import type { Session } from '../../store/training/session.ts';
import { givenRecipe, isGivenByFile } from '../../store/training/wanted.ts';
import { firstPanelWith, KeptFold, useArrival, useFirstInstrument } from '../component.tsx';

export const createSettings = firstPanelWith(Settings);

/** Changed options named one by one; further ones are counted. */
const MOST_NAMED = 2;

const GROUPS = ['data', 'model', 'training'] as const;
type Group = (typeof GROUPS)[number];

const ALL = 'settings.all';
const moreOf = (group: Group): string => `settings.more ${group}`;

function Settings() {
  const { words, session, state, actions, kept, home, lesson, container } = useFirstInstrument();
  const { t } = words;
  const now = session();
  // Open by default outside the site, where the settings are main content, and if locked, because
  // the button of the fold is then disabled.
  const isOpen = home === null || lesson.lock.has('settings');
  useArrival((option) => {
    const folds = kept(Folds);
    folds.isOpen(ALL, isOpen).value = true;
    const found = now?.table.options.find(({ name }) => name === option);
    if (found === undefined) return;
    folds.isOpen(moreOf(groupOf(found))).value ||= !found.basic;
    // The field exists only after the fold is drawn.
    drawChanges();
    container.querySelector<HTMLElement>(`[data-option="${option}"] :is(input, select)`)?.focus();
  });
  if (now === null) return null;
  const { preset, given, changes } = describe(now, state.pageRecipe, words);
  return (
    <>
      <h2>{t('settings.title')}</h2>
      {/* The changes share the place of the preset's description, which does not apply to a
          changed preset. */}
      <div class={changes === '' ? 'preset-said' : 'preset-said changed'}>
        <p class="note">{preset}</p>
        <p class="note" data-part="preset-changed">
          <span>{changes}</span>{' '}
          <button
            type="button"
            class="link"
            onClick={() => {
              actions.onReset();
              // The pressed button disappears, so the focus moves to the fold's button.
              container
                .querySelector<HTMLElement>('.all-settings button')
                ?.focus({ preventScroll: true });
            }}
          >
            {t(`settings.reset.${given}`)}
          </button>
        </p>
      </div>
      <KeptFold name={ALL} kind="all-settings" title={t('settings.all')} isOpen={isOpen}>
        {() => (
          <>
            <Presets now={now} isChanged={changes !== ''} />
            <Groups now={now} />
          </>
        )}
      </KeptFold>
    </>
  );
}

function Presets({ now, isChanged }: { readonly now: Session; readonly isChanged: boolean }) {
  const { words, actions } = useFirstInstrument();
  return (
    <fieldset class={isChanged ? 'presets changed' : 'presets'}>
      <legend>{words.t('settings.for')}</legend>
      <Segments
        values={now.table.presets}
        value={now.recipe.preset}
        textOf={(preset) => presetTitle(preset, words)}
        onValue={actions.onPreset}
      />
    </fieldset>
  );
}

function Groups({ now }: { readonly now: Session }) {
  const { words, actions } = useFirstInstrument();
  const { table, recipe } = now;
  const values = Object.fromEntries(
    table.options.map(({ name }) => [name, valueOf(table, recipe, name)]),
  );
  const errors = errorsOf(now, words);
  const pending = now.pending();
  const groups = GROUPS.map((group) => {
    const own = table.options.filter((option) => groupOf(option) === group);
    const [basic, rest] = [own.filter((one) => one.basic), own.filter((one) => !one.basic)];
    return { group, basic, rest };
  });
  const order = groups.flatMap(({ basic, rest }) => [...basic, ...rest]);
  const fields = (options: readonly Option[]) => (
    <div class="fields">
      {options.map((option) => {
        const { name } = option;
        const error = errors.get(name) ?? '';
        return (
          <OptionField
            key={name}
            words={words}
            option={option}
            value={values[name] ?? NaN}
            onValue={(value) => actions.onOption(name, value)}
            fits={(one, value) => fitsRecipe(table, recipe, one, value)}
            error={error}
            isErrorElsewhere={order.find((one) => errors.get(one.name) === error) !== option}
            isPending={pending.includes(name)}
            isHidden={error === '' && isIdle(option, table.options, values)}
          />
        );
      })}
    </div>
  );
  return groups.map(({ group, basic, rest }) => (
    <fieldset key={group} class={`group-${group}`}>
      <legend>{words.t(`settings.group.${group}`)}</legend>
      {fields(basic)}
      {rest.length === 0 ? null : (
        <KeptFold name={moreOf(group)} kind="more" title={words.t('settings.more')}>
          {() => fields(rest)}
        </KeptFold>
      )}
    </fieldset>
  ));
}

/** Group of an option. The seed is shown with the training options, wherever the engine has it. */
function groupOf({ name, group }: Option): Group {
  return GROUPS.find((one) => one === group && name !== 'seed') ?? 'training';
}

/** Error messages by option; several, because a link may have several invalid values. */
function errorsOf({ table, recipe, error }: Session, words: Words): Map<string, string> {
  const wrong = [...wrongValues(table, recipe), ...(error === null ? [] : [error])];
  return new Map(
    wrong.flatMap((one) =>
      placeOf(one).options.map((name) => [name, messageOf(one, words)] as const),
    ),
  );
}

/**
 * Texts on the settings. `preset`: the purpose of the preset, or how a lesson or model file differs
 * from it; `changes`: how the reader's or the page's settings (`own`) differ from that, empty if
 * they do not; `given`: what Reset returns to.
 */
function describe(now: Session, own: Recipe | null, words: Words) {
  const { table, recipe } = now;
  const { preset } = recipe;
  const from = givenRecipe(now);
  const apart = differingOptions(table, { ...from, changes: {} }, from);
  const given = isGivenByFile(now) ? 'model' : apart.length > 0 ? 'lesson' : 'preset';
  const isOther = preset !== from.preset;
  const changed = isOther ? ['preset'] : differingOptions(table, from, recipe);
  const list = shortList(changed, words);
  const title = presetTitle(preset, words);
  let changes = words.t('settings.changed', { list });
  if (given === 'preset') {
    const isOwn = own !== null && sameRecipe(own, recipe);
    changes = isOwn
      ? words.t('settings.suited', { preset: title })
      : words.t('settings.changed.preset', { preset: title, list });
  }
  return {
    given,
    preset:
      given === 'preset' || apart.length === 0
        ? (words.find(`preset.${preset}`) ?? '')
        : words.t(`settings.as.${given}`, { preset, list: shortList(apart, words) }),
    changes: changed.length === 0 ? '' : changes,
  } as const;
}

/** Name and purpose of a preset. */
function presetTitle(preset: string, words: Words): string {
  const made = words.find(`preset.${preset}.for`);
  return made === null ? preset : words.t('settings.named', { for: made, preset });
}

/** Titles of options in a list; from `MOST_NAMED + 2` on, the further ones are only counted. */
function shortList(all: readonly string[], words: Words): string {
  const { t } = words;
  const shown = all.length <= MOST_NAMED + 1 ? all : all.slice(0, MOST_NAMED);
  const names = shown.map((name) => words.find(`option.${name}`) ?? t('settings.preset'));
  const named = names.join(t('list.separator'));
  const count = all.length - shown.length;
  return count === 0 ? named : t('list.more', { list: named, count });
}
