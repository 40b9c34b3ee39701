/** Stands for `page/math-styles.ts` in forms that are one file: formulas there take a font of the reader's. */
export {};
