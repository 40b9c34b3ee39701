/**
 * Chooses the probe, the text of the attention panel: the reader's own, or one that suits the
 * training text.
 */
import type { PageState } from '../page-state.ts';
import { shownTokenizer } from './shown-plan.ts';
import type { Session } from './session.ts';
import { findSample } from '../text/texts.ts';

/** Maximum tokens of a probe; more would make cells too small to read. */
export const PROBE_TOKENS = 48;

/** Fields of the training text that determine a probe. */
type Shown = Pick<PageState, 'source' | 'shown'>;

export interface ProbeChoiceOptions {
  readonly state: PageState;
  readonly session: () => Session | null;
  /** Shows another probe. */
  readonly show: (text: string) => void;
  /** Called when a probe chosen by the reader is dropped. */
  readonly onGivenUp: () => void;
}

export class ProbeChoice {
  #chosen: string | null;
  readonly #options: ProbeChoiceOptions;
  /**
   * A probe derived from the text, pending until a run learns that text; empty if none is pending.
   */
  #suited = '';

  constructor(chosen: string | null, options: ProbeChoiceOptions) {
    this.#chosen = chosen;
    this.#options = options;
  }

  /** The probe chosen by the reader; null for a derived one. */
  get chosen(): string | null {
    return this.#chosen;
  }

  /** Follows a change of the training text. */
  follow(text: Shown): void {
    this.#suited = suitedProbe(text);
    this.suit();
  }

  /** Sets a typed probe as it is; the panel reports characters that the training text lacks. */
  type(probe: string): void {
    this.#chosen = probe;
    this.#suited = '';
    this.#options.show(probe);
  }

  /** Sets the probe of the address; null if the address has no probe. */
  choose(chosen: string | null): void {
    this.#chosen = chosen;
    this.#suited = suitedProbe(this.#options.state);
    if (chosen === null) this.suit();
    else this.#options.show(chosen);
  }

  /**
   * Sets the probe of an opened run. If it is the derived probe of the run's text, it stays out of
   * the address and changes with the text.
   */
  take(probe: string, text: Shown): void {
    this.#chosen = probe === suitedProbe(text) ? null : probe;
    this.#suited = '';
    this.#options.show(probe);
  }

  /**
   * Shows the derived probe, unless the reader's own can be written in this text's characters. A
   * run on the previous text may lack tokens for the derived probe, so the old probe stays until
   * another run begins.
   */
  suit(): void {
    const { state, session, show, onGivenUp } = this.#options;
    this.#takeOfModel();
    const now = session();
    // The probe also stays pending while it is unknown whether the run learns this text.
    if (this.#suited === '' || now?.text.isKnown === false) return;
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
   * Chooses a probe from the samples of a model whose text is missing: the model may lack tokens
   * for the present probe, but not for its own samples.
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

  /** Whether a probe has characters that a complete sample text lacks. */
  #isStrange(probe: string): boolean {
    const { state, session } = this.#options;
    // A text that is typed, or shown in part, may contain further characters.
    const isPart = state.readOnly || state.source === 'own';
    if (shownTokenizer(session()) !== 'char' || isPart) return false;
    const known = new Set(state.shown);
    return Array.from(probe).some((character) => !known.has(character));
  }
}

/** The default probe of a text. */
export function suitedProbe({ source, shown }: Shown): string {
  return findSample(source)?.probe ?? tellingLine(shown);
}

/** Maximum number of characters of a derived probe. */
const LOOKED_AT = 24;
/** Characters at the beginning of a text among whose lines the probe is chosen. */
const READ = 2_000;
/**
 * The beginning of a line, up to one character more than LOOKED_AT. Without U+FFFD, which marks
 * invalid UTF-8 on the page and does not occur in the learned text.
 */
const BEGINNING = new RegExp(`[^\\s\ufffd][^\\n\ufffd]{0,${String(LOOKED_AT)}}`, 'u');

/**
 * The beginning of a line, cut between words, with the longest repeated part: attention to an
 * earlier copy stands out. The first line if none repeats anything.
 */
function tellingLine(text: string): string {
  const read = text.slice(0, READ).split('\n');
  // The last line may be cut.
  if (text.length > READ) read.pop();
  const lines = read.map(firstWords);
  let best = lines.find((line) => line !== '') ?? firstWords(text);
  let longest = 1;
  for (const line of lines) {
    const length = repeatOf(line);
    if (length > longest) [best, longest] = [line, length];
  }
  return best;
}

/** The beginning of the first line that is not blank, cut between words. */
function firstWords(text: string): string {
  const whole = Array.from(BEGINNING.exec(text)?.[0] ?? '');
  const part = whole.slice(0, LOOKED_AT).join('');
  const isCut = whole.length > LOOKED_AT && /\S/.test(whole[LOOKED_AT]!);
  return (isCut ? part.replace(/\s+\S*$/, '') : part).trim();
}

/** Length of the longest part of letters that occurs twice in a line; 0 for none. */
function repeatOf(line: string): number {
  for (let length = Math.floor(line.length / 2); length > 1; length--) {
    for (let at = 0; at + 2 * length <= line.length; at++) {
      const part = line.slice(at, at + length);
      if (/^\p{L}+$/u.test(part) && line.includes(part, at + length)) return length;
    }
  }
  return 0;
}
