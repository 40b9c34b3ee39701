/** How a number field steps: by 1, along 1-2-3-4-6-8-12, along 1-2-5-10, or by 0.05. */
export type Ladder = 'ones' | 'halves' | 'decades' | 'twentieths';
