/** Implements the actions of the page with the parts of a store. */
import { withChange } from '../engine/options.ts';
import type { Recipe } from '../engine/options.ts';
import type {
  ModelActions,
  PageActions,
  RunActions,
  SettingsActions,
  TextActions,
  ViewActions,
} from './actions.ts';
import { droppedFiles } from './opened-files.ts';
import type { OpenedFiles } from './opened-files.ts';
import type { PageState } from './page-state.ts';
import type { Runs } from './runs/run-keeper.ts';
import type { TextController } from './text/text-controller.ts';
import type { TextSettings } from './text/text-settings.ts';
import type { LoadedText } from './text/text-source.ts';
import { findSample, noteOfText } from './text/texts.ts';
import type { SourceId } from './text/texts.ts';
import { keptSteps, nearestStep } from './timeline.ts';
import { keepLossChoice } from './training/loss-choice.ts';
import { saveName } from './training/model-files.ts';
import type { ProbeChoice } from './training/probe-choice.ts';
import type { Session } from './training/session.ts';
import { shownFile } from './training/shown-name.ts';
import { givenRecipe, recipeOfPreset } from './training/wanted.ts';

/** Parts of the store that actions change. */
export interface ActionParts {
  readonly state: PageState;
  readonly session: () => Session | null;
  readonly controller: TextController;
  readonly files: OpenedFiles;
  readonly settings: TextSettings;
  readonly probe: ProbeChoice;
  readonly runs: Runs;
  /** Whether values may be kept for the next visit. */
  readonly keeps: boolean;
  readonly download: (file: Blob, name: string) => void;
  readonly start: () => void;
  readonly step: () => void;
  readonly update: (change: Partial<PageState>) => void;
  readonly saveAddress: () => void;
  readonly setRecipe: (recipe: Recipe, typing: boolean) => void;
  /** Shows text and probe of a resumed run. */
  readonly showOfRun: (text: LoadedText, probed: string) => void;
  /** Sets the text to analyse that goes into the address; null for none. */
  readonly setScoredByHand: (text: string | null) => void;
}

export function makeActions(parts: ActionParts): PageActions {
  return {
    ...textActions(parts),
    ...modelActions(parts),
    ...settingsActions(parts),
    ...runActions(parts),
    ...viewActions(parts),
  };
}

function textActions({
  state,
  controller,
  files,
  settings,
  saveAddress,
}: ActionParts): TextActions {
  return {
    onSource: (id) => {
      const from = state.source;
      controller.choose(id as SourceId);
      settings.follow(from, id);
      saveAddress();
    },
    onType: (text) => {
      state.brought = null;
      controller.type(text);
      saveAddress();
    },
    onFile: (file) => void files.open([file]),
    onReadAs: (choice) => controller.readAs(choice),
    onDrop: (dropped) => void files.open(droppedFiles(dropped)),
    onBringBack: () => {
      controller.bringBack();
      settings.exchange();
      saveAddress();
    },
    readText: (most) => controller.readText(most),
    readBytes: () => controller.readBytes(),
    onMend: (text) => {
      const back = controller.mend(text);
      saveAddress();
      return () => {
        back();
        saveAddress();
      };
    },
  };
}

function modelActions({ state, session, files, runs, download }: ActionParts): ModelActions {
  return {
    onModel: (opened) => files.openModelOrRun(opened),
    onPurpose: (purpose) => session()?.models.setPurpose(purpose),
    onTune: () => session()?.models.tune(),
    onClose: () => session()?.models.close(),
    onSave: (form) => {
      const now = session();
      const note = noteOfText(state.source);
      state.saved = null;
      now?.models.save(form, note, (file, run, step) => {
        const name = saveName(form, shownFile(now, runs), step);
        state.saved = { name, run: run.number, step };
        download(file, name);
      });
    },
  };
}

function settingsActions({
  state,
  session,
  settings,
  runs,
  setRecipe,
}: ActionParts): SettingsActions {
  return {
    onPreset: (preset) => {
      const now = session();
      setRecipe((now && recipeOfPreset(now, preset)) ?? { preset, changes: {} }, false);
    },
    onSuggestion: () => {
      const preset = findSample(state.source)?.preset;
      if (preset !== undefined) setRecipe({ preset, changes: {} }, false);
    },
    onFit: () => settings.apply(),
    onFitUndo: () => settings.undo(),
    onFitKeep: () => settings.decline(),
    onReset: () => {
      const now = session();
      if (now !== null) setRecipe(givenRecipe(now), false);
    },
    onRecipe: (recipe) => setRecipe(recipe, false),
    onOption: (name, value) => {
      const now = session();
      if (now !== null) setRecipe(withChange(now.table, now.recipe, name, value), true);
    },
    onTwin: (recipe) => session()?.tryTwin(recipe),
    onGentler: () => session()?.gentler(),
    onWayBack: () => void runs.goBack(),
  };
}

function runActions({ state, session, start, step, ...parts }: ActionParts): RunActions {
  return {
    onStart: start,
    onStep: step,
    onExtend: () => session()?.extend(),
    onNewSeed: () => session()?.newSeed(),
    onPace: (pace) => {
      session()?.pace(pace);
      parts.update({ pace });
      parts.saveAddress();
    },
    onFork: async (fork) => {
      const now = session();
      if (now === null) return;
      const { forkRun } = await import('./past/fork.ts');
      const isOtherText = now.pending().includes('text');
      const text = await forkRun(now, fork);
      if (isOtherText && text !== null) parts.showOfRun(text, state.probe);
    },
    onSlowedSeen: () => parts.update({ slowed: null }),
  };
}

function viewActions({ state, session, probe, keeps, ...parts }: ActionParts): ViewActions {
  const { saveAddress, update } = parts;
  return {
    onProbe: (text) => {
      if (text === null) probe.choose(null);
      else probe.type(text);
      saveAddress();
    },
    onHead: (head) => update({ head }),
    onWeightRead: (weightRead) => update({ weightRead }),
    onLookAt: (step) => {
      const now = session();
      const run = now?.run ?? null;
      if (now === null || run === null) return;
      const { firstStep } = now.lookedAt;
      const reach = { step: run.step, keptSteps: keptSteps(run), firstStep };
      const at = step === null ? null : nearestStep(step, reach);
      update({ lookedAt: at === null ? null : { run: run.number, step: at } });
      now.lookedAt.look(at);
    },
    onScored: (scored, typed) => {
      parts.setScoredByHand(typed ? scored : null);
      update({ scored });
      saveAddress();
    },
    onLossChoice: (change) => {
      const lossChoice = { ...state.lossChoice, ...change };
      if (keeps) keepLossChoice(lossChoice);
      update({ lossChoice });
    },
    onAskChange: (ask) => {
      update({ ask });
      saveAddress();
    },
    onTab: (tab) => {
      update({ tab });
      saveAddress();
    },
    onUnknownParamsSeen: () => update({ unknownParams: [] }),
  };
}
