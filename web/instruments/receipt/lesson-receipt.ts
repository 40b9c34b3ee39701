/**
 * The receipt among the panels of a lesson that asks for it; its code and words come with the
 * lesson only.
 */
import { lazily } from '../lazily.ts';

export const createLessonReceipt = lazily(() =>
  import('./receipt.tsx').then(({ createReceipt }) => createReceipt),
);
