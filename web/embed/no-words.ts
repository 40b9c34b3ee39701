/**
 * Stands for the words of what forms in one file do not have: the model's parts, where their numbers come
 * from, the list of kept runs, sharing, the tour, links that hold a text, advice after a run.
 */
export const after = {};
export const origin = {};
export const parts = {};
export const runs = {};
export const share = {};
export const tour = {};
export const links = {};
