/**
 * The model that the settings describe, part by part, and the numbers of the run that is under way.
 */
import type { ShownEntry } from '../../docs/shown-entry.ts';
import { checkRecipe, fitsRecipe, valueOf } from '../../engine/options.ts';
import { architectureOf, sizesOf } from '../../store/training/architecture.ts';
import type { Architecture, ModelPart } from '../../store/training/architecture.ts';
import type { Lang } from '../../i18n/index.ts';
import { Folds } from '../../kit/folds.ts';
import { fairUnit, unitFactor, unitKey } from '../../data/loss-data.ts';
import { ModelParts } from './view.ts';
import type { ExplanationData, Extra } from './part-explanation.ts';
import type { Change } from './view.ts';
import { loadEntries } from './docs-entries.ts';
import { messageOf, placeOf } from '../../store/messages.ts';
import { PartNumbers } from './part-numbers.ts';
import type { Session } from '../../store/training/session.ts';
import { leadToMistake } from '../lead-to-mistake.ts';
import type { CreateLaterPanel, LaterContext, Panel } from '../panel.ts';
import { PartsState } from '../parts-state.ts';
import type { SizeBefore } from '../parts-state.ts';

/** Options of training and chance: not choices of what the model is. */
const NOT_OF_THE_MODEL = new Set(['seed', 'validation', 'special_tokens']);

/** Fetches the entries of the documentation and the font of their formulas. */
export async function preload(lang: Lang): Promise<void> {
  await Promise.all([loadEntries(lang), document.fonts.load("1em 'Docs Math'")]);
}

export const createModelPartsPanel: CreateLaterPanel = (container, context) =>
  new ModelPartsPanel(container, context);

class ModelPartsPanel implements Panel {
  readonly #container: HTMLElement;
  readonly #context: LaterContext;
  readonly #state: PartsState;
  readonly #numbers: PartNumbers;
  readonly #sight = new IntersectionObserver((entries) => {
    this.#inSight = entries.some(({ isIntersecting }) => isIntersecting);
    this.update();
  });
  readonly #onFocus = ({ target }: FocusEvent): void => {
    const session = this.#context.session();
    const isText = target instanceof HTMLInputElement && target.type === 'text';
    this.#typed = isText && session !== null ? this.#sizeNow(session) : null;
  };
  #view: ModelParts | null = null;
  #entries: ReadonlyMap<string, ShownEntry> = new Map();
  #model: Architecture | null = null;
  /** Of which values and vocabulary it is, and of which the engine was asked last. */
  #modelOf = '';
  #asked = '';
  /** Parameters of the model with one option changed, by `keyOf`. */
  #counts: ReadonlyMap<string, number> = new Map();
  #vocab = 0;
  /** The size when typing in a field began: what is half typed is no model to compare with. */
  #typed: SizeBefore | null = null;
  #destroyed = false;
  #inSight = true;

  constructor(container: HTMLElement, context: LaterContext) {
    const { words } = context;
    this.#container = container;
    this.#context = context;
    this.#state = context.kept(PartsState);
    this.#numbers = new PartNumbers(words, () => this.update());
    container.addEventListener('focusin', this.#onFocus);
    this.#sight.observe(container);
    // The documentation is large: it comes with the first look at this panel.
    loadEntries(words.lang).then(
      ({ default: all }) => {
        this.#entries = new Map(all.map((entry) => [entry.id, entry]));
        this.update();
      },
      // The diagram and the numbers are there without it.
      () => undefined,
    );
  }

  update(): void {
    const session = this.#context.session();
    if (session === null || this.#destroyed) return;
    const view = (this.#view ??= this.#create(session));
    const values = valuesOf(session);
    this.#refresh(session, values);
    const { error } = session;
    const { words } = this.#context;
    const look = this.#state;
    const places = error === null ? [] : placeOf(error).options;
    const said = error === null ? '' : messageOf(error, words);
    const chosen = this.#choosePart();
    const { part, block, unfolded } = look;
    view.update({
      model: this.#model,
      part,
      block,
      unfolded,
      values,
      errors: Object.fromEntries(places.map((name) => [name, said])),
      error: said,
      bytes: session.plan?.totalBytes ?? null,
      change: this.#changeNow(session),
      isBefore: (session.run?.step ?? 0) > 0 && session.trains && session.pending().length > 0,
      progress: this.#progressOf(session),
      effect: (option, value) => this.#effect(session, option, value),
      explanation: this.#explain(chosen, values),
      numbers: this.#numbers.of(
        session,
        this.#context.state.probe,
        chosen,
        chosen !== undefined && this.#model?.block.includes(chosen) === true ? block : -1,
        this.#inSight,
      ),
    });
  }

  /** Led here to a number: to its map, and what stands below it. */
  focus(): void {
    this.update();
    this.#view?.enterNumbers();
  }

  resize(): void {
    this.#view?.resize();
  }

  destroy(): void {
    this.#destroyed = true;
    this.#container.removeEventListener('focusin', this.#onFocus);
    this.#sight.disconnect();
    this.#numbers.destroy();
    this.#view?.destroy();
  }

  #create(session: Session): ModelParts {
    const { table } = session;
    const { words, isDark, actions, lesson, goTo, reveal } = this.#context;
    const look = this.#state;
    const numbers = this.#numbers;
    return new ModelParts(this.#container, {
      words,
      folds: this.#context.kept(Folds),
      isDark,
      presets: table.presets,
      locked: lesson.lock.has('settings') ? words.t('app.locked') : '',
      fits: (name, value) => fitsRecipe(table, session.recipe, name, value),
      fields: table.options.filter(
        ({ name, group }) => (group === 'model' || group === 'data') && !NOT_OF_THE_MODEL.has(name),
      ),
      onChange: (option, value) => {
        look.changed = { option, value, ...(this.#typed ?? this.#sizeNow(session)) };
        actions.onOption(option, value);
      },
      onRenew: () => {
        const now = this.#context.session();
        if (leadToMistake(now, goTo)) return;
        reveal();
        now?.restart(true);
      },
      onPart: (to, inBlock) => {
        look.part = to;
        if (inBlock >= 0) look.block = inBlock;
        this.update();
      },
      onUnfold: (to) => {
        look.unfolded = to;
        this.update();
      },
      onTensor: (tensor) => numbers.choose({ tensor }),
      onGradient: (gradient) => numbers.choose({ gradient }),
      onMatrix: (matrix) => numbers.choose({ matrix }),
      onWhole: () => numbers.choose({ around: null, cell: null }),
      onCell: (cell) => numbers.chooseCell(cell),
    });
  }

  // ---- The model that is wanted -----------------------------------------------------------------

  /** The model of what is wanted; the last one that could be, when it cannot. */
  #refresh(session: Session, values: Readonly<Record<string, number>>): void {
    this.#vocab = session.plan?.vocab ?? this.#vocab;
    const vocab = this.#vocab;
    const wanted = JSON.stringify([values, vocab]);
    if (vocab === 0 || wanted === this.#asked || !isModel(session)) return;
    this.#asked = wanted;
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
        if (this.#destroyed || this.#asked !== wanted) return;
        this.#model = architectureOf(described, values['tokenizer'] ?? NaN);
        this.#counts = new Map(choices.map((choice, at) => [keyOf(...choice), numbers[at] ?? NaN]));
        this.#modelOf = wanted;
        this.update();
      },
      // Asked for again with the next update.
      () => {
        if (this.#asked === wanted) this.#asked = this.#modelOf;
      },
    );
  }

  /** The model of the settings as they are now; null while the engine has not described it. */
  #modelNow(session: Session): Architecture | null {
    return this.#modelOf === this.#asked && isModel(session) ? this.#model : null;
  }

  #sizeNow(session: Session): SizeBefore {
    return { before: this.#model?.parameters ?? 0, bytes: session.plan?.totalBytes ?? null };
  }

  #changeNow(session: Session): Change | null {
    const model = this.#modelNow(session);
    if (this.#state.changed === null || model === null) return null;
    const { option, value, before, bytes } = this.#state.changed;
    const now = session.plan?.totalBytes ?? null;
    return {
      option,
      value,
      parameters: model.parameters - before,
      bytes: now === null || bytes === null ? null : now - bytes,
    };
  }

  /** How many parameters more or fewer the model would have; null if that is not known. */
  #effect(session: Session, option: string, value: number): number | null {
    const count = this.#counts.get(keyOf(option, value)) ?? NaN;
    const model = this.#modelNow(session);
    return model === null || Number.isNaN(count) ? null : count - model.parameters;
  }

  // ---- What is looked at ------------------------------------------------------------------------

  /** The part that is looked at; one that the model has if it lost the one before. */
  #choosePart(): ModelPart | undefined {
    const look = this.#state;
    const model = this.#model;
    // Which parts and blocks there are is not known yet: what is asked for waits.
    if (model === null) return undefined;
    if (findPart(model, look.part) === undefined) look.part = 'logits';
    if (look.asked !== null) this.#numbers.ask(look.part, look.block, look.asked);
    look.asked = null;
    look.block = Math.min(look.block, Math.max(0, model.layers - 1));
    return findPart(model, look.part);
  }

  #explain(
    part: ModelPart | undefined,
    values: Readonly<Record<string, number>>,
  ): ExplanationData | null {
    const entry = part && this.#entries.get(part.entry);
    if (entry === undefined || part === undefined || this.#model === null) return null;
    return {
      entry,
      href: new URL(entry.href, document.baseURI).href,
      lacks: lacksOf(part),
      sizes: sizesOf(this.#model, part, values['batch'] ?? NaN),
    };
  }

  /** Where the run stands, if it is one with all that was changed. */
  #progressOf(session: Session): string {
    const { words, state } = this.#context;
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

/** Whether the settings describe a model: one too large to be trained here is one all the same. */
function isModel({ error, table, recipe }: Session): boolean {
  if (error !== null && error.code !== 'memory' && error.code !== 'allocation') return false;
  const channels = valueOf(table, recipe, 'channels');
  return checkRecipe(table, recipe) === null && fitsRecipe(table, recipe, 'channels', channels);
}

function valuesOf({ table, recipe }: Session): Record<string, number> {
  return Object.fromEntries(table.options.map(({ name }) => [name, valueOf(table, recipe, name)]));
}

function keyOf(option: string, value: number): string {
  return `${option} ${String(value)}`;
}

/** Biases and gains that the part has not in this model. */
function lacksOf({ entry, parameters }: ModelPart): Extra[] {
  const has = (kind: string): boolean => parameters.some(({ name }) => name.endsWith(`.${kind}`));
  const isNorm = entry === 'layernorm' || entry === 'rmsnorm';
  return [
    ...(has('bias') ? [] : (['bias'] as const)),
    ...(isNorm && !has('weight') ? (['gain'] as const) : []),
  ];
}

function findPart({ before, block, after }: Architecture, part: string): ModelPart | undefined {
  return [...before, ...block, ...after].find(({ id }) => id === part);
}
