/**
 * The words of instruments, as types: each English file in `instruments/NAME/words` adds its own to
 * the words of the first screen, or to those that come later.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface FirstWords {}
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface LaterWords {}

/** The keys of all areas. */
export type KeysOf<Areas> = { [Name in keyof Areas]: keyof Areas[Name] }[keyof Areas] & string;
