/** What attention is shown for: a text chosen by hand, or one that suits the text to learn. */
import type { PageState } from '../page-state.ts';
import { shownTokenizer } from './session.ts';
import type { Session } from './session.ts';
import { findSample } from '../text/texts.ts';

/** Tokens of a probe: more would make cells too small to read. */
export const PROBE_TOKENS = 48;

/** A text to learn, as far as a probe depends on it. */
type Shown = Pick<PageState, 'source' | 'shown'>;

export interface ProbeChoiceOptions {
  readonly state: PageState;
  readonly session: () => Session | null;
  /** Shows another probe. */
  readonly show: (text: string) => void;
  /** What was chosen by hand is given up. */
  readonly onGivenUp: () => void;
}

export class ProbeChoice {
  #chosen: string | null;
  readonly #options: ProbeChoiceOptions;
  /** A probe from the text, for when a run learns it; empty if the text has not come. */
  #suited = '';

  constructor(chosen: string | null, options: ProbeChoiceOptions) {
    this.#chosen = chosen;
    this.#options = options;
  }

  /** What was chosen by hand; null for a probe from the text. */
  get chosen(): string | null {
    return this.#chosen;
  }

  /** The text to learn is another one. */
  follow(text: Shown): void {
    this.#suited = suitedProbe(text);
    this.suit();
  }

  /**
   * Typed as it is, also with characters that the text to learn has not: that is told beside it.
   */
  type(probe: string): void {
    this.#chosen = probe;
    this.#suited = '';
    this.#options.show(probe);
  }

  /** The address has a probe, or none, for the text that is shown. */
  choose(chosen: string | null): void {
    this.#chosen = chosen;
    this.#suited = suitedProbe(this.#options.state);
    if (chosen === null) this.suit();
    else this.#options.show(chosen);
  }

  /** That of an opened run: its text's own need not be in the address, and goes with that text. */
  take(probe: string, text: Shown): void {
    this.#chosen = probe === suitedProbe(text) ? null : probe;
    this.#suited = '';
    this.#options.show(probe);
  }

  /**
   * A probe from the text, unless one was chosen by hand that this text has the characters of. The
   * run under way learns the text before, and may have no tokens for this one: it keeps its probe
   * until another run begins.
   */
  suit(): void {
    const { state, session, show, onGivenUp } = this.#options;
    this.#takeOfModel();
    const now = session();
    // Nor before it is known whether this text is the one that the run learns.
    if (this.#suited === '' || now?.knowsText === false) return;
    if (now?.pending().includes('text') === true) return;
    const text = this.#suited;
    this.#suited = '';
    if (this.#chosen !== null && this.#isStrange(this.#chosen)) {
      this.#chosen = null;
      onGivenUp();
    }
    if (this.#chosen === null && text !== state.probe) show(text);
  }

  /**
   * A model whose text is not here may have no tokens for the probe, but has for what it writes.
   */
  #takeOfModel(): void {
    const { state, session, show } = this.#options;
    const [model, run] = [session()?.model ?? null, session()?.run ?? null];
    if (this.#chosen !== null || model?.purpose !== 'generate') return;
    if (run === null || run.attentionError === null) return;
    const written = run.samples.at(-1)?.texts.map(firstWords) ?? [];
    const probe = written.find((text) => text !== '') ?? state.probe;
    if (probe !== state.probe) show(probe);
  }

  /** Written for another text: this one, if all of it is here, has not all of the characters. */
  #isStrange(probe: string): boolean {
    const { state, session } = this.#options;
    // While a text is typed, more may come.
    const isPart = state.readOnly || state.source === 'own';
    if (shownTokenizer(session()) !== 'char' || isPart) return false;
    const known = new Set(state.shown);
    return Array.from(probe).some((character) => !known.has(character));
  }
}

/** What is looked at as long as nothing was chosen by hand. */
export function suitedProbe({ source, shown }: Shown): string {
  return findSample(source)?.probe ?? firstWords(shown);
}

/** Characters of the reader's own text that are looked at. */
const LOOKED_AT = 24;
/**
 * The first line that is not blank, as far as the character behind these. The sign for bytes that
 * are no UTF-8 is left out: it is only shown, and the text that is learned has no such character.
 */
const FIRST_LINE = new RegExp(`[^\\s\ufffd][^\\n\ufffd]{0,${String(LOOKED_AT)}}`, 'u');

/**
 * The beginning of a text's first line, no word of it cut: something to look at when it is the
 * reader's own.
 */
function firstWords(text: string): string {
  // Asked for with each update: no more of the text is read than may be shown.
  const [line = ''] = FIRST_LINE.exec(text) ?? [];
  const whole = Array.from(line);
  const part = whole.slice(0, LOOKED_AT).join('');
  const isCut = whole.length > LOOKED_AT && /\S/.test(whole[LOOKED_AT]!);
  return (isCut ? part.replace(/\s+\S*$/, '') : part).trim();
}
