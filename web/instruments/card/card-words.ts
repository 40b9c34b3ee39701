/** Words of a card, for its picture and as plain text. */
import type { AllWords } from '../../i18n/index.ts';
import { withUnreadableSigns } from '../../kit/unreadable.ts';
import type { CardLine } from './card-lines.ts';
import type { CardPicture } from './picture.ts';

export interface CardFacts {
  /** Lines by ascending step. */
  readonly lines: readonly CardLine[];
  /** Description of the training text; empty if not given. */
  readonly phrase: string;
  /** Number of parameters of the model. */
  readonly parameters: number;
  /** Whether the run began with a model from a file. */
  readonly isOpened: boolean;
  /** URL of the folder of the site; null outside the site. */
  readonly home: string | null;
}

/** Step of the newest line; 0 if there are no lines. */
export function stepOf(lines: readonly CardLine[]): number {
  return Math.max(0, ...lines.map(({ step }) => step));
}

export function cardPicture(facts: CardFacts, { t, number }: AllWords): CardPicture {
  const { lines, phrase, parameters, isOpened, home } = facts;
  const hasOneStep = lines.every(({ step }) => step === lines[0]?.step);
  const values = { step: stepOf(lines), text: phrase };
  const isNamed = phrase !== '';
  const learned = hasOneStep
    ? t(isNamed ? 'card.learned.step' : 'card.step', values)
    : t('card.learned', values);
  return {
    title: t('app.title'),
    // Others cannot open an address of this machine.
    address: home?.startsWith('https:') === true ? home.slice('https://'.length) : '',
    lines: lines.map(({ text, given, isCut, step }) => ({
      text: given + withUnreadableSigns(text.slice(given.length)) + (isCut ? '…' : ''),
      given,
      step: hasOneStep ? '' : t('card.step', { step: number(step) }),
    })),
    learned: hasOneStep || isNamed ? learned : '',
    model: t(isOpened ? 'card.model.opened' : 'card.model', { count: parameters }),
  };
}

export function cardText({ title, address, lines, learned, model }: CardPicture): string {
  const written = lines.map(({ step, text }) => (step === '' ? text : `${step}: ${text}`));
  const from = [title, address].filter((part) => part !== '').join(', ');
  return [...written, '', learned, model, from]
    .filter((line, at) => line !== '' || at === written.length)
    .join('\n');
}
