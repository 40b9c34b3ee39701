/** The page: makes the views, hands them what the session knows, and takes their wishes to it. */
import { explainPlan } from './explain-plan.ts';
import { messageOf, placeOf } from './messages.ts';
import type { Session } from './session.ts';
import { PACES } from './state.ts';
import { findSample, SAMPLE_TEXTS } from './texts.ts';
import { valueOf } from '../engine/options.ts';
import type { ErrorFacts } from '../engine/errors.ts';
import type { Words } from '../i18n/index.ts';
import { createAttentionPanel } from '../views/attention-panel.ts';
import type { AttentionPanel } from '../views/attention-panel.ts';
import { perFrame } from '../views/dom.ts';
import type { View } from '../views/dom.ts';
import { createLossChart } from '../views/loss-chart.ts';
import type { LossData } from '../views/loss-chart.ts';
import { LossHistory } from '../views/loss-history.ts';
import { createPlanLine } from '../views/plan-line.ts';
import type { PlanData } from '../views/plan-line.ts';
import { createPromptBox } from '../views/prompt-box.ts';
import type { PromptBoxData, PromptRequest } from '../views/prompt-box.ts';
import { createRunStrip } from '../views/run-strip.ts';
import type { RunStripData, StripState } from '../views/run-strip.ts';
import { createSamples } from '../views/samples.ts';
import type { SamplesData } from '../views/samples.ts';
import { createSettingsForm } from '../views/settings-form.ts';
import type { SettingsForm } from '../views/settings-form.ts';
import { createTextPanel } from '../views/text-panel.ts';
import type { TextPanel } from '../views/text-panel.ts';

/** Options that are always in sight; the others are behind "more". */
const BASIC = [
  ...['tokenizer', 'sequences', 'layers', 'heads', 'channels', 'context'],
  ...['batch', 'steps', 'lr', 'seed'],
];

/** What the page knows besides the session. */
export interface PageState {
  source: string;
  shown: string;
  readOnly: boolean;
  fileName: string;
  fileSize: number;
  textError: ErrorFacts | null;
  loadError: ErrorFacts | null;
  probe: string;
  ask: PromptRequest;
  pace: number;
}

export interface PageActions {
  readonly onSource: (id: string) => void;
  readonly onType: (text: string) => void;
  readonly onFile: (file: File) => void;
  readonly onPreset: (preset: string) => void;
  readonly onSuggestion: () => void;
  readonly onOption: (name: string, value: number) => void;
  readonly onProbe: (text: string) => void;
  readonly onPace: (stepsPerSecond: number) => void;
  readonly onAskChange: (ask: PromptRequest) => void;
}

interface Views {
  readonly text: TextPanel;
  readonly strip: View<RunStripData>;
  readonly plan: View<PlanData | null>;
  readonly loss: View<LossData>;
  readonly samples: View<SamplesData>;
  readonly prompt: View<PromptBoxData>;
  readonly attention: AttentionPanel;
  /** Only once the engine has said what options there are. */
  settings: SettingsForm | null;
}

const NO_LOSSES = new LossHistory();

/** The element that a view lives in; the page's HTML has it. */
export function place(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

/** All views of the page in one language; made anew for another. */
export class Page {
  readonly #words: Words;
  readonly #state: PageState;
  readonly #actions: PageActions;
  readonly #session: () => Session | null;
  readonly #views: Views;
  readonly #render = perFrame(() => {
    this.#show();
  });

  constructor(
    words: Words,
    state: PageState,
    actions: PageActions,
    isDark: () => boolean,
    session: () => Session | null,
  ) {
    this.#words = words;
    this.#state = state;
    this.#actions = actions;
    this.#session = session;
    const samples = SAMPLE_TEXTS.map(({ id }) => ({ id, title: words.t(`text.${id}`) }));
    const { onSource: onSample, onType, onFile, onSuggestion, onProbe, onAskChange } = actions;
    this.#views = {
      text: createTextPanel(place('text'), {
        ...{ words, samples, onSample, onType, onFile, onSuggestion },
      }),
      strip: createRunStrip(place('run'), {
        words,
        paces: PACES,
        onPace: actions.onPace,
        onStart: () => {
          this.#start('start');
        },
        onPause: () => session()?.pause(),
        onStep: () => {
          this.#start('step');
        },
        onRewind: () => session()?.rewind(),
        onNewSeed: () => session()?.newSeed(),
        onExtend: () => session()?.extend(),
        onRestart: () => session()?.restart(true),
        onGentler: () => session()?.gentler(),
      }),
      plan: createPlanLine(place('plan'), { words }),
      loss: createLossChart(place('loss'), { words }),
      samples: createSamples(place('samples'), { words }),
      prompt: createPromptBox(place('ask'), {
        words,
        request: state.ask,
        onAsk: (request) => session()?.ask(request),
        onStop: () => session()?.cancelAnswer(),
        onChange: onAskChange,
      }),
      attention: createAttentionPanel(place('attention'), {
        ...{ words, isDark, onProbe, probe: state.probe },
      }),
      settings: null,
    };
    this.update();
  }

  /** Shows what has changed, in the next frame. */
  update(): void {
    this.#render.request();
  }

  /** Another probe text came with another text. */
  setProbe(text: string): void {
    this.#views.attention.setProbe(text);
  }

  focusText(): void {
    this.#views.text.focus();
  }

  resize(): void {
    for (const view of this.#all()) view.resize();
  }

  destroy(): void {
    this.#render.cancel();
    for (const view of this.#all()) view.destroy();
  }

  #all(): View<never>[] {
    const { settings, ...others } = this.#views;
    return settings === null ? Object.values(others) : [...Object.values(others), settings];
  }

  /** Starts or steps; where that is impossible, goes to the place where it can be mended. */
  #start(what: 'start' | 'step'): void {
    const session = this.#session();
    if (session === null) return;
    const error = session.error;
    const mendable = error === null ? null : placeOf(error);
    const option = mendable?.options[0];
    if (session.run?.step) {
      // A run under way can go on, whatever is wrong with plans for another.
    } else if (option !== undefined) {
      this.#views.settings?.focus(option);
    } else if (mendable?.text === true) {
      this.focusText();
    }
    if (what === 'start') session.start();
    else session.step();
  }

  #show(): void {
    const session = this.#session();
    const error = session?.error ?? null;
    this.#showText(session, error);
    this.#showSettings(session, error);
    this.#showStrip(session, error);
    const begun = (session?.run?.step ?? 0) > 0;
    // The figures belong to the curve below them while there is one.
    const plan = (begun ? session?.runPlan : session?.plan) ?? null;
    const { plan: planView, loss, samples } = this.#views;
    planView.update(plan);
    loss.update({
      history: session?.run?.history ?? NO_LOSSES,
      randomLoss: plan?.randomLoss ?? NaN,
      steps: session?.run?.steps ?? 0,
      hasValidation: plan?.hasValidation ?? false,
    });
    samples.update({ entries: session?.run?.samples ?? [] });
    this.#showAnswer(session);
    this.#showAttention(session);
  }

  #showText(session: Session | null, error: ErrorFacts | null): void {
    const { source, shown, readOnly, textError } = this.#state;
    const words = this.#words;
    const atText = textError ?? (error !== null && placeOf(error).text ? error : null);
    this.#views.text.update({
      source,
      shown,
      readOnly,
      fileName: this.#fileLine(),
      notes: explainPlan(this.#state, session?.plan ?? null, words),
      suggestion: this.#suggestion(session),
      error: atText === null ? '' : messageOf(atText, words),
    });
  }

  #fileLine(): string {
    const { fileName: name, fileSize } = this.#state;
    return name === ''
      ? ''
      : this.#words.t('text.file', { name, size: this.#words.bytes(fileSize) });
  }

  #suggestion(session: Session | null): string {
    const sample = findSample(this.#state.source);
    if (session === null || sample === undefined) return '';
    const suited = [sample.preset, ...sample.alsoSuits];
    return suited.includes(session.recipe.preset) ? '' : sample.preset;
  }

  #showSettings(session: Session | null, error: ErrorFacts | null): void {
    if (session === null) return;
    const words = this.#words;
    const { table, recipe } = session;
    this.#views.settings ??= createSettingsForm(place('settings'), {
      words,
      presets: table.presets,
      fields: table.options,
      basic: BASIC,
      onPreset: this.#actions.onPreset,
      onChange: this.#actions.onOption,
    });
    const errors: Record<string, string> = {};
    if (error !== null) {
      for (const name of placeOf(error).options) errors[name] = messageOf(error, words);
    }
    const values = Object.fromEntries(
      table.options.map(({ name }) => [name, valueOf(table, recipe, name)]),
    );
    this.#views.settings.update({
      preset: recipe.preset,
      values,
      changed: Object.keys(recipe.changes).length > 0,
      errors,
      pending: session.pending(),
    });
  }

  #showStrip(session: Session | null, error: ErrorFacts | null): void {
    const { loadError } = this.#state;
    const words = this.#words;
    const run = session?.run ?? null;
    const problem = loadError ?? run?.error ?? error;
    const changed = (session?.pending() ?? []).map((name) =>
      name === 'text' ? words.t('run.changed.text') : (words.find(`option.${name}`) ?? name),
    );
    this.#views.strip.update({
      state: this.#stripState(session, problem),
      step: run?.step ?? 0,
      steps: run?.steps ?? 0,
      pace: this.#state.pace,
      loss: run?.history.smoothedLast ?? null,
      tokensPerSecond: run?.tokensPerSecond ?? 0,
      stepsPerSecond: run?.stepsPerSecond ?? 0,
      extension: session?.extension ?? 0,
      changed,
      message: problem === null ? '' : messageOf(problem, words),
      messageIsError: true,
    });
  }

  #stripState(session: Session | null, problem: ErrorFacts | null): StripState {
    const run = session?.run ?? null;
    if (run !== null && (run.step > 0 || run.state === 'running' || run.state === 'diverged')) {
      return run.state === 'none' ? 'ready' : run.state;
    }
    if (problem !== null) return 'blocked';
    return (session?.plan ?? null) === null ? 'loading' : 'ready';
  }

  #showAnswer(session: Session | null): void {
    const answer = session?.answer ?? null;
    const words = this.#words;
    this.#views.prompt.update({
      prompt: answer?.prompt ?? '',
      text: answer?.text ?? '',
      busy: answer?.busy ?? false,
      answered: answer !== null && answer.error === null,
      note: this.#answerNote(session),
      error: answer?.error ? messageOf(answer.error, words) : '',
    });
  }

  #answerNote(session: Session | null): string {
    const result = session?.answer?.result ?? null;
    if (result === null) return '';
    const { t, number } = this.#words;
    if (result.cancelled) return t('ask.cancelled');
    if (result.ended && result.tokens <= 1 && session?.answer?.text === '') return t('ask.empty');
    const key = result.full ? 'ask.full' : result.ended ? 'ask.ended' : 'ask.done';
    const tokens = number(result.tokens);
    const note = t(key, { step: number(result.step), tokens });
    return result.refills > 0 ? `${note} ${t('ask.refills', { count: result.refills })}` : note;
  }

  #showAttention(session: Session | null): void {
    const run = session?.run ?? null;
    const error = run?.attentionError ?? null;
    // An empty field is no mistake worth a red line.
    const silent = error === null || error.code === 'empty';
    this.#views.attention.update({
      attention: run?.attention ?? null,
      omitted: run?.attention?.omitted ?? 0,
      error: silent ? '' : messageOf(error, this.#words),
    });
  }
}
