/** How a number goes to its next round value: by 1, halves of powers of two, 1-2-5, or 0.05. */
export type Ladder = 'ones' | 'halves' | 'decades' | 'twentieths';
