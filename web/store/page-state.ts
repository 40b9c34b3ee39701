/** State of the page besides the session. Only the store writes it. */
import type { Pace } from '../engine/trainer.ts';
import type { PromptRequest } from '../base/sampling-limits.ts';
import type { HeadPlace } from '../data/attention-data.ts';
import { PLAIN_CHOICE } from '../data/loss-data.ts';
import type { LossChoice } from '../data/loss-data.ts';
import type { ErrorFacts } from '../engine/errors.ts';
import type { Recipe } from '../engine/options.ts';
import { readAsk, readTab, readPace } from './address/page-settings.ts';
import type { Address } from './address/page-settings.ts';
import type { Reading } from './text/decode.ts';
import type { FitNotice } from './text/fitting.ts';
import type { OwnText } from './text/own-text.ts';
import { findSample } from './text/texts.ts';
import { recallLossChoice } from './training/loss-choice.ts';
import type { LookedAt } from './timeline.ts';

/** A period in which the browser slowed a run down: steps done, and steps expected. */
export interface Slowed {
  readonly run: number;
  readonly seconds: number;
  readonly done: number;
  readonly expected: number;
}

export interface PageState {
  source: string;
  shown: string;
  readOnly: boolean;
  fileName: string;
  fileSize: number;
  /** How the text's file was decoded; null unless a reader opened a file. */
  reading: Reading | null;
  /** Number of texts shown so far. */
  version: number;
  /** Whether a run will start once the requested text is loaded. */
  awaitsText: boolean;
  textError: ErrorFacts | null;
  readonly own: Pick<OwnText, 'givenName' | 'isInPlaceOfAnother' | 'isOfRun' | 'isUnkept'>;
  /**
   * Notice about the settings of the chosen text; null for none. `from`: the recipe that the text's
   * preset replaced. `stays`: the reader's changes, which remain. `before`: they remain, and the
   * reader's own text had this preset before.
   */
  brought: {
    readonly source: string;
    readonly recipe: Recipe;
    readonly before?: string;
    readonly stays?: Recipe;
    readonly from?: Recipe;
  } | null;
  /** Notice about settings that suit the text; null for none. */
  fitNotice: FitNotice | null;
  /** The recipe that the page itself chose; null once the reader or a link chose another. */
  pageRecipe: Recipe | null;
  /** Lines of a card, from the link (address/gift.ts); empty once text or settings change. */
  gift: string;
  loadError: ErrorFacts | null;
  /** Link parameters that are unknown or invalid. */
  unknownParams: readonly string[];
  /** The last slow period of a run, until the reader dismisses it; null for none. */
  slowed: Slowed | null;
  /** Whether a newer version of the site was installed. */
  isReplaced: boolean;
  /** The last saved model file, with its run and step; null for none. */
  saved: { readonly name: string; readonly run: number; readonly step: number } | null;
  probe: string;
  /** The head shown large; null for the one that ClearestHead chooses. */
  head: HeadPlace | null;
  /** Sentence about the attention weight selected last in a map; empty before the first. */
  weightRead: string;
  /** The step that is shown (see timeline.ts); null for the newest. */
  lookedAt: LookedAt | null;
  /** The text analysed token by token; null for the probe. */
  scored: string | null;
  ask: PromptRequest;
  pace: Pace;
  /** The reader's settings of loss charts. */
  lossChoice: LossChoice;
  /** The open tab; empty for the first. */
  tab: string;
}

/** The settings of an address that do not concern a run. */
export function settingsOf(address: Address): Pick<PageState, 'ask' | 'pace' | 'tab'> {
  return { ask: readAsk(address), pace: readPace(address), tab: readTab(address) };
}

/** The initial state of a page, from its address. */
export function beginState(
  address: Address,
  own: OwnText,
  { loading, keeps }: { readonly loading: string; readonly keeps: boolean },
): PageState {
  return {
    source: address.source,
    shown: loading,
    readOnly: true,
    fileName: '',
    fileSize: 0,
    reading: null,
    version: 0,
    awaitsText: false,
    textError: null,
    own,
    fitNotice: null,
    pageRecipe: null,
    gift: address.params.get('card') ?? '',
    loadError: null,
    unknownParams: [],
    slowed: null,
    isReplaced: false,
    brought: null,
    probe: address.params.get('probe') ?? findSample(address.source)?.probe ?? '',
    saved: null,
    head: null,
    weightRead: '',
    lookedAt: null,
    scored: address.params.get('scored'),
    lossChoice: keeps ? recallLossChoice() : PLAIN_CHOICE,
    ...settingsOf(address),
  };
}
