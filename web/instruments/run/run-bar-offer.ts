/** What the run bar says: what is wrong or was changed, with buttons for what can be done then. */
import { sentences } from '../../i18n/index.ts';
import { disclosure, el, setText } from '../../kit/dom.ts';
import type { Disclosure } from '../../kit/dom.ts';
import { deedOf, deedsOf, renews } from './run-bar-data.ts';
import type { RunBarData, RunBarOptions, RunBarChange } from './run-bar-data.ts';

/** This many changes are named in a sentence; of more, there is a list. */
const FEW = 3;

export class RunBarOffer {
  readonly root: HTMLElement;
  readonly #options: RunBarOptions;
  readonly #message: HTMLElement;
  /** On a phone the note is one of two lines, until this is pressed, or the note itself. */
  readonly #whole: HTMLButtonElement;
  readonly #cure: HTMLButtonElement;
  readonly #restart: HTMLButtonElement;
  readonly #tune: HTMLButtonElement;
  readonly #old: HTMLButtonElement;
  readonly #gentler: HTMLButtonElement;
  readonly #changes = el('ul', {});
  readonly #which: Disclosure;
  #data: RunBarData | null = null;
  /** The changes that are listed. */
  #listed = '';

  constructor(options: RunBarOptions) {
    this.#options = options;
    const { t } = options.words;
    this.#message = el('p', { class: 'note', 'data-part': 'run-message', tabindex: '-1' });
    this.#whole = el('button', {
      type: 'button',
      class: 'fold note-whole',
      'aria-expanded': 'false',
      'aria-label': t('run.changed.whole'),
    });
    this.#restart = button(t('run.restart'), options.onRestart);
    this.#gentler = button(t('run.gentler'), options.onGentler);
    this.#tune = button(t('run.tune'), options.onTune);
    this.#cure = button(t('run.leftOut.cure'), options.onCure);
    const deeds = deedsOf(options);
    this.#old = button('', () => {
      if (this.#data !== null) deeds[deedOf(this.#data)]();
    });
    this.#which = this.#listFold();
    this.root = el(
      'div',
      { class: 'offer', hidden: true },
      this.#whole,
      this.#message,
      this.#cure,
      this.#restart,
      this.#tune,
      this.#old,
      this.#gentler,
      this.#which.root,
    );
    for (const one of [this.#whole, this.#message]) {
      one.addEventListener('click', () => {
        const isWhole = this.root.classList.toggle('whole');
        this.#whole.setAttribute('aria-expanded', String(isWhole));
      });
    }
  }

  #listFold(): Disclosure {
    const { words, folds } = this.#options;
    const { t } = words;
    // As many as there may be, they must not cover the page where the run bar stays in sight.
    const scroll = { class: 'run-bar-changes', tabindex: '0', role: 'region' };
    const box = el('div', { ...scroll, 'aria-label': t('run.changed.list') }, this.#changes);
    return folds.keep(
      'run.changed.which',
      disclosure('run-bar-which', t('run.changed.which'), () => undefined, box),
    );
  }

  /** The focus goes to what is said. */
  focus(): void {
    this.#message.focus();
  }

  update(data: RunBarData): void {
    this.#data = data;
    const { state, message, leftOut, renewable } = data;
    const note = this.#noteText(data);
    setText(this.#message, note);
    // One line of it on a phone, until it is pressed; what went wrong is said whole.
    const folds = message === '' && note !== '' && leftOut === '';
    this.root.classList.toggle('folds', folds);
    this.#message.classList.toggle('error', data.messageIsError && message !== '');
    const renewing = renews(data);
    // Where the large button begins the new run, the old one can still go on.
    this.#restart.hidden = !renewable || renewing || state === 'blocked';
    this.#tune.hidden = !renewable || !data.tunable || state === 'blocked';
    this.#old.hidden = !renewing;
    setText(this.#old, this.#textOfOld(data));
    this.#gentler.hidden = state !== 'diverged' || data.isFixed;
    this.#cure.hidden = leftOut === '' || !data.curable || message !== '';
    this.root.hidden = note === '';
    this.#showChanges(message === '' ? data.changed : []);
  }

  /** Beside the new run, it is said that the other is meant. */
  #textOfOld({ state, extension }: RunBarData): string {
    const { t } = this.#options.words;
    return state === 'finished' ? t('run.old.extend', { steps: extension }) : t('run.old.continue');
  }

  #noteText({ message, changed, state, barred, leavesModel, leftOut }: RunBarData): string {
    if (message !== '') return message;
    const count = changed.length;
    if (count === 0) return leftOut;
    const { words } = this.#options;
    const { t } = words;
    const names = changed.map(({ name }) => name).join(t('list.separator'));
    const what = count <= FEW ? t('run.changed', { names }) : t('run.changed.many', { count });
    const then = t(state === 'running' ? 'run.changed.running' : 'run.changed.resting');
    const renew = leavesModel ? t('run.changed.chance') : t('run.changed.renew', { count });
    return sentences([what, then, barred ? '' : renew, leftOut], words);
  }

  /** One by one, with their values, where there are too many for a sentence. */
  #showChanges(changed: readonly RunBarChange[]): void {
    const { t } = this.#options.words;
    const isFew = changed.length <= FEW;
    this.#which.root.hidden = isFew;
    const lines = (isFew ? [] : changed).map(({ name, was, now }) =>
      was === '' ? name : t('run.changed.one', { name, was, now }),
    );
    if (lines.join('\n') === this.#listed) return;
    this.#listed = lines.join('\n');
    this.#changes.replaceChildren(...lines.map((line) => el('li', {}, line)));
  }
}

function button(text: string, press: () => void): HTMLButtonElement {
  const made = el('button', { type: 'button', class: 'secondary' }, text);
  made.addEventListener('click', press);
  return made;
}
