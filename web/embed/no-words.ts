/**
 * Stands for the words of what forms in one file do not have: the model's parts, sharing, the tour, links
 * that hold a text.
 */
export const parts = {};
export const share = {};
export const tour = {};
export const links = {};
