/**
 * The model that the settings describe, part by part, and the numbers of the run that is under way.
 */
import type { ShownEntry } from '../../docs/shown-entry.ts';
import { checkRecipe, fitsRecipe, valueOf } from '../../engine/options.ts';
import { architectureOf, sizesOf } from '../../store/training/architecture.ts';
import type { Architecture, ModelPart } from '../../store/training/architecture.ts';
import { Folds } from '../../kit/folds.ts';
import { fairUnit, unitFactor, unitKey } from '../../data/loss-data.ts';
import { createModelParts } from './view.ts';
import type { Extra } from './part-explanation.ts';
import type { Change } from './view.ts';
import { loadEntries } from './docs-entries.ts';
import { messageOf, placeOf } from '../../store/messages.ts';
import { PartNumbers } from './part-numbers.ts';
import type { Session } from '../../store/training/session.ts';
import { leadToMistake } from '../lead-to-mistake.ts';
import type { CreateLaterPanel } from '../panel.ts';
import { PartsLook } from '../parts-look.ts';
import type { SizeBefore } from '../parts-look.ts';

/** Options of training and chance: not choices of what the model is. */
const NOT_OF_THE_MODEL = new Set(['seed', 'validation', 'special_tokens']);

type View = ReturnType<typeof createModelParts>;

export const createModelPartsPanel: CreateLaterPanel = (container, context) => {
  const { words, isDark, actions, goTo, reveal } = context;
  let view: View | null = null;
  const look = context.kept(PartsLook);
  let entries: ReadonlyMap<string, ShownEntry> = new Map();
  let model: Architecture | null = null;
  /** Of which values and vocabulary it is, and of which the engine was asked last. */
  let modelOf = '';
  let asked = '';
  /** Parameters of the model with one option changed, by `keyOf`. */
  let counts: ReadonlyMap<string, number> = new Map();
  let vocab = 0;
  /** The size when typing in a field began: what is half typed is no model to compare with. */
  let typed: SizeBefore | null = null;
  const onFocus = ({ target }: FocusEvent): void => {
    const session = context.session();
    const isText = target instanceof HTMLInputElement && target.type === 'text';
    typed = isText && session !== null ? sizeNow(session) : null;
  };
  container.addEventListener('focusin', onFocus);
  let destroyed = false;
  let inSight = true;
  const sight = new IntersectionObserver((entries) => {
    inSight = entries.some(({ isIntersecting }) => isIntersecting);
    update();
  });
  sight.observe(container);
  const numbers = new PartNumbers(words, () => {
    update();
  });

  // The documentation is large: it comes with the first look at this panel.
  loadEntries(words.lang).then(
    ({ default: all }) => {
      entries = new Map(all.map((entry) => [entry.id, entry]));
      if (!destroyed) update();
    },
    // The diagram and the numbers are there without it.
    () => undefined,
  );

  function create(session: Session): View {
    const { table } = session;
    return createModelParts(container, {
      words,
      folds: context.kept(Folds),
      isDark,
      presets: table.presets,
      fits: (name, value) => fitsRecipe(table, session.recipe, name, value),
      fields: table.options.filter(
        ({ name, group }) => (group === 'model' || group === 'data') && !NOT_OF_THE_MODEL.has(name),
      ),
      onChange: (option, value) => {
        look.changed = { option, value, ...(typed ?? sizeNow(session)) };
        actions.onOption(option, value);
      },
      onRenew: () => {
        const now = context.session();
        if (leadToMistake(now, goTo)) return;
        reveal('loss');
        now?.restart(true);
      },
      onPart: (to, inBlock) => {
        look.part = to;
        if (inBlock >= 0) look.block = inBlock;
        update();
      },
      onUnfold: (to) => {
        look.unfolded = to;
        update();
      },
      onTensor: (name) => {
        numbers.choose({ tensor: name });
      },
      onGradient: (gradient) => {
        numbers.choose({ gradient });
      },
      onMatrix: (matrix) => {
        numbers.choose({ matrix });
      },
      onWhole: () => {
        numbers.choose({ around: null, cell: null });
      },
      onCell: (cell) => {
        numbers.chooseCell(cell);
      },
    });
  }

  function sizeNow(session: Session): SizeBefore {
    return { before: model?.parameters ?? 0, bytes: session.plan?.totalBytes ?? null };
  }

  /** The model of what is wanted; the last one that could be, when it cannot. */
  function refresh(session: Session, values: Readonly<Record<string, number>>): void {
    vocab = session.plan?.vocab ?? vocab;
    const wanted = JSON.stringify([values, vocab]);
    if (vocab === 0 || wanted === asked || !isModel(session)) return;
    asked = wanted;
    const { trainer, recipe } = session;
    const choices = choicesOf(session, values);
    const changed = choices.map(([option, value]) => ({
      preset: recipe.preset,
      changes: { ...values, [option]: value },
    }));
    Promise.all([
      trainer.architecture({ preset: recipe.preset, changes: values }, vocab),
      trainer.parameterCounts(changed, vocab),
    ]).then(
      ([described, numbers]) => {
        // A newer one may be on its way.
        if (destroyed || asked !== wanted) return;
        model = architectureOf(described, values['tokenizer'] ?? NaN);
        counts = new Map(choices.map((choice, at) => [keyOf(...choice), numbers[at] ?? NaN]));
        modelOf = wanted;
        update();
      },
      // Asked for again with the next update.
      () => {
        if (asked === wanted) asked = modelOf;
      },
    );
  }

  /** What the presets chose otherwise, as far as it does not change the tokens. */
  function choicesOf(
    { table }: Session,
    values: Readonly<Record<string, number>>,
  ): (readonly [string, number])[] {
    return table.options
      .filter(({ name, group }) => group === 'model' && !NOT_OF_THE_MODEL.has(name))
      .flatMap(({ name, presets }) => [...new Set(presets)].map((value) => [name, value] as const))
      .filter(([name, value]) => values[name] !== value);
  }

  /**
   * Whether the settings describe a model: one too large to be trained here is one all the same.
   */
  function isModel({ error, table, recipe }: Session): boolean {
    if (error !== null && error.code !== 'memory' && error.code !== 'allocation') return false;
    const channels = valueOf(table, recipe, 'channels');
    return checkRecipe(table, recipe) === null && fitsRecipe(table, recipe, 'channels', channels);
  }

  function valuesOf({ table, recipe }: Session): Record<string, number> {
    return Object.fromEntries(
      table.options.map(({ name }) => [name, valueOf(table, recipe, name)]),
    );
  }

  function changeNow(session: Session): Change | null {
    if (look.changed === null || model === null || modelOf !== asked || !isModel(session))
      return null;
    const { option, value, before, bytes } = look.changed;
    const now = session.plan?.totalBytes ?? null;
    return {
      option,
      value,
      parameters: model.parameters - before,
      bytes: now === null || bytes === null ? null : now - bytes,
    };
  }

  /** Where the run stands, if it is one with all that was changed. */
  function progressOf(session: Session): string {
    const { run, trains } = session;
    const { smoothing, unit: wanted } = context.state.lossChoice;
    const loss = run?.history.smoothedLast(smoothing);
    if (run === null || loss === undefined || !trains || session.pending().length > 0) return '';
    const { number, t } = words;
    const { tokensPerCharacter, earlier } = session;
    const unit = fairUnit(wanted, { tokensPerCharacter, lines: earlier.all });
    return t('parts.progress', {
      step: number(run.step),
      steps: number(run.steps),
      loss: number(loss * unitFactor({ unit }, tokensPerCharacter.train), 2),
      unit: t(unitKey(unit)),
    });
  }

  function update(): void {
    const session = context.session();
    if (session === null || destroyed) return;
    view ??= create(session);
    const values = valuesOf(session);
    refresh(session, values);
    const { error } = session;
    const errors: Record<string, string> = {};
    if (error !== null) {
      for (const name of placeOf(error).options) errors[name] = messageOf(error, words);
    }
    const known = findPart(model, look.part);
    if (model !== null && known === undefined) look.part = 'logits';
    const chosen = known ?? findPart(model, look.part);
    if (look.asked !== null) {
      numbers.ask(look.part, look.block, look.asked);
      look.asked = null;
    }
    look.block = Math.min(look.block, Math.max(0, (model?.layers ?? 1) - 1));
    const entry = chosen === undefined ? undefined : entries.get(chosen.entry);
    view.update({
      model,
      part: look.part,
      block: look.block,
      unfolded: look.unfolded,
      values,
      errors,
      error: error === null ? '' : messageOf(error, words),
      bytes: session.plan?.totalBytes ?? null,
      change: changeNow(session),
      isBefore: (session.run?.step ?? 0) > 0 && session.trains && session.pending().length > 0,
      progress: progressOf(session),
      effect: (option, value) => {
        const count = counts.get(keyOf(option, value)) ?? NaN;
        if (model === null || modelOf !== asked || !isModel(session)) return null;
        return Number.isNaN(count) ? null : count - model.parameters;
      },
      explanation:
        entry === undefined || chosen === undefined || model === null
          ? null
          : {
              entry,
              href: new URL(entry.href, document.baseURI).href,
              lacks: lacksOf(chosen),
              sizes: sizesOf(model, chosen, values['batch'] ?? NaN),
            },
      numbers: numbers.of(
        session,
        context.state.probe,
        chosen,
        chosen !== undefined && model?.block.includes(chosen) === true ? look.block : -1,
        inSight,
      ),
    });
  }

  return {
    update,
    // Led here to a number: to its map, and what stands below it.
    focus: () => {
      update();
      view?.enterNumbers();
    },
    resize: () => view?.resize(),
    destroy: () => {
      destroyed = true;
      container.removeEventListener('focusin', onFocus);
      sight.disconnect();
      numbers.destroy();
      view?.destroy();
    },
  };
};

function keyOf(option: string, value: number): string {
  return `${option} ${String(value)}`;
}

/** Biases and gains that the part has not in this model. */
function lacksOf({ entry, parameters }: ModelPart): Extra[] {
  const has = (kind: string): boolean => parameters.some(({ name }) => name.endsWith(`.${kind}`));
  const isNorm = entry === 'layernorm' || entry === 'rmsnorm';
  return [...(has('bias') ? [] : (['bias'] as const)), ...(isNorm && !has('weight') ? (['gain'] as const) : [])]; // prettier-ignore
}

function findPart(model: Architecture | null, part: string): ModelPart | undefined {
  return [...(model?.before ?? []), ...(model?.block ?? []), ...(model?.after ?? [])].find(
    ({ id }) => id === part,
  );
}
