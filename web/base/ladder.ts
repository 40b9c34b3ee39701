/** How a number field steps: by 1, by half a power of two, along 1-2-5, or by 0.05. */
export type Ladder = 'ones' | 'halves' | 'decades' | 'twentieths';
