/**
 * Stands for the words of what forms in one file do not have: the model's parts, where their numbers come
 * from, sharing, the tour, links that hold a text.
 */
export const origin = {};
export const parts = {};
export const share = {};
export const tour = {};
export const links = {};
