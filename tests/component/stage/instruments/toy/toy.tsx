/**
 * A test instrument: it marks the whole of each generated text as soon as the test allows it, and
 * reports presses. No file in web/ refers to it.
 */
import type { CreatePanel } from '../../../../../web/instruments/panel.ts';
import { markTexts } from '../../../../../web/kit/marked-texts.ts';

export interface ToyWindow {
  /** Texts whose answers are held back. */
  held: { readonly text: string; readonly isGone: () => boolean; readonly answer: () => void }[];
  holds: boolean;
  /** Whether creating the instrument fails. */
  fails?: boolean;
}

export const createToy: CreatePanel = (container, { textMarks, words }) => {
  const toy = Object.assign(window as unknown as ToyWindow, { held: [], holds: false });
  if (toy.fails === true) throw new Error('the toy is broken');
  const said = document.createElement('p');
  container.append(said);
  markTexts(textMarks, 'toy', async (text, gone) => {
    if (toy.holds) {
      await new Promise<void>((answer) => {
        toy.held.push({ text, isGone: () => gone.aborted, answer });
      });
    }
    const onPress = (mark: HTMLElement): void => {
      said.textContent = words.t('toy.pressed', { text: mark.textContent });
    };
    return [{ start: 0, end: text.length, note: 'all of it', onPress }];
  });
  const nothing = (): void => undefined;
  return { update: nothing, resize: nothing, destroy: nothing };
};
