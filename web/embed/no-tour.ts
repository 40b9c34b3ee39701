/** Stands for `instruments/tour/tour.ts` in a form that offers no tour: its page explains it. */
import type { Tour } from '../instruments/tour/tour.ts';

export const createTour = (): Tour => ({ update: () => undefined, destroy: () => undefined });
