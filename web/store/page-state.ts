/** What the page knows besides the session. Only the store writes it. */
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

/** A time in which a run was slower than before: steps done, and about as many as expected. */
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
  /** How its file was read; null if no reader opened it as a file. */
  reading: Reading | null;
  /** Counts the texts that were taken. */
  version: number;
  /** A run is to begin once the text that was asked for is here. */
  awaitsText: boolean;
  textError: ErrorFacts | null;
  readonly own: Pick<OwnText, 'givenName' | 'isInPlaceOfAnother' | 'isOfRun' | 'isUnkept'>;
  /**
   * The settings, of another preset than before, that came with the text when it was chosen; or
   * those that were changed by hand with another text and stay, and the preset that this one had if
   * it had another.
   */
  brought: {
    readonly source: string;
    readonly recipe: Recipe;
    readonly before?: string;
    readonly stays?: boolean;
    /** Those in whose place they came. */
    readonly from?: Recipe;
  } | null;
  /** What is said of settings that suit the text; null for nothing. */
  fitNotice: FitNotice | null;
  loadError: ErrorFacts | null;
  /** What the address says that nothing here knows. */
  unknownParams: readonly string[];
  /** When the browser slowed a run down last, until the reader has read it. */
  slowed: Slowed | null;
  /** Another version of the site has taken the place of this one. */
  isReplaced: boolean;
  /** The file that the model was saved as last, of which step of which run; null for none. */
  saved: { readonly name: string; readonly run: number; readonly step: number } | null;
  probe: string;
  /** The head whose attention is shown large; null for the clearest. */
  head: HeadPlace | null;
  /** What was said of the weight that was chosen last in a map; empty before one was. */
  weightRead: string;
  /** The step that is looked at (see timeline.ts); null for the newest. */
  lookedAt: LookedAt | null;
  /** The text whose tokens are looked at one by one; null for the probe. */
  scored: string | null;
  ask: PromptRequest;
  pace: Pace;
  /** How the reader wants to see losses, wherever they are shown. */
  lossChoice: LossChoice;
  /** The open tab; empty for the first. */
  tab: string;
}

/** What the address says that is no setting of a run. */
export function settingsOf(address: Address): Pick<PageState, 'ask' | 'pace' | 'tab'> {
  return { ask: readAsk(address), pace: readPace(address), tab: readTab(address) };
}

/** The state that a page begins with, by its address. */
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
