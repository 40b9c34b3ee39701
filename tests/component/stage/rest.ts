/** Detects when the stage is at rest, so that a test may measure it. */

import { REACH } from '../../budgets.ts';

/** The longest timer to wait for, in ms: pauses in typing and batched answers. */
const LONGEST = 600;
/** After this time in ms, running timers no longer count: they repeat, as in a film. */
const PATIENCE = 1500;
/** Consecutive idle frames that count as rest. */
const FRAMES = 2;

const timers = new Set<number>();
let asked = 0;

/** Counts the page's timers from this call on. */
export function watchTimers(): void {
  const [set, clear] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)];
  const start = (action: () => void, wait = 0, ...args: unknown[]): number => {
    const timer = set(() => {
      timers.delete(timer);
      Reflect.apply(action, window, args);
    }, wait);
    if (wait <= LONGEST) timers.add(timer);
    return timer;
  };
  window.setTimeout = start as typeof window.setTimeout;
  window.clearTimeout = ((timer?: number) => {
    if (timer !== undefined) timers.delete(timer);
    clear(timer);
  }) as typeof window.clearTimeout;
}

/** Counts a question as open until its answer arrives. */
export async function whileAsked<Answer>(answer: Promise<Answer>): Promise<Answer> {
  asked++;
  try {
    return await answer;
  } finally {
    asked--;
  }
}

/** Whether `main` reports rest, no question is open and no timer runs. */
function rests(main: HTMLElement, since: number): boolean {
  const waits = performance.now() - since < PATIENCE;
  return 'rest' in main.dataset && asked === 0 && !(waits && timers.size > 0);
}

/** Waits for consecutive idle frames. */
export async function atRest(main: HTMLElement): Promise<void> {
  const since = performance.now();
  for (let still = 0; still < FRAMES;) {
    await new Promise(requestAnimationFrame);
    still = rests(main, since) ? still + 1 : 0;
    if (performance.now() - since < REACH) continue;
    const says = 'rest' in main.dataset ? 'at rest' : 'not at rest';
    throw new Error(`waited too long for rest: the page is ${says}, ${asked} questions are open`);
  }
}
