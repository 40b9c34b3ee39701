/**
 * Keeps the task of a lesson visible: when scrolled past, one of its paragraphs sticks to the top
 * of the window, with two buttons for the others. Its original space stays reserved, so that
 * nothing moves. In a frame as high as its content nothing scrolls, and nothing changes.
 */
import type { Words } from '../i18n/index.ts';
import { el, setText } from '../kit/dom.ts';
import { watchPassing } from '../kit/in-sight.ts';

/** Keeps the task in `main` visible; returns a function that sets the language of the buttons. */
export function keepTaskInSight(main: HTMLElement): (words: Words) => void {
  const task = main.querySelector<HTMLElement>(':scope > .task');
  if (task === null) return () => undefined;
  const parts = Array.from(task.children);
  const count = el('span', { class: 'stamp' });
  const turn = (by: number, sign: string): HTMLButtonElement => {
    const button = el('button', { type: 'button', class: 'secondary small' }, sign);
    button.addEventListener('click', () => {
      show(at + by);
    });
    return button;
  };
  const [back, on] = [turn(-1, '‹'), turn(1, '›')];
  const turns = el('div', { class: 'task-turns' }, back, count, on);
  turns.hidden = parts.length < 2;
  const text = el('div', { class: 'task-text' }, ...parts, turns);
  task.append(text);

  let at = 0;
  const show = (next: number): void => {
    // The buttons are never disabled, because that would lose the focus.
    at = Math.min(Math.max(next, 0), parts.length - 1);
    for (const [index, part] of parts.entries()) part.classList.toggle('current', index === at);
    for (const [button, ends] of [
      [back, at === 0],
      [on, at === parts.length - 1],
    ] as const) {
      button.setAttribute('aria-disabled', String(ends));
    }
    setText(count, `${String(at + 1)}/${String(parts.length)}`);
  };
  show(0);

  const tellHeight = (): void => {
    const height = task.classList.contains('passed') ? text.offsetHeight : 0;
    main.style.setProperty('--task', `${String(height)}px`);
  };
  const passing = watchPassing(task, () => {
    const isPast = passing.past();
    if (isPast === task.classList.contains('passed')) return;
    task.style.minHeight = isPast ? `${String(task.offsetHeight)}px` : '';
    task.classList.toggle('passed', isPast);
    tellHeight();
  });
  new ResizeObserver(tellHeight).observe(text);
  return ({ t }) => {
    back.setAttribute('aria-label', t('embed.task.back'));
    on.setAttribute('aria-label', t('embed.task.on'));
  };
}
