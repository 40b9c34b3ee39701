/**
 * Types of the instruments' catalogue keys. Each English file in `instruments/NAME/words` declares
 * its keys as part of the first screen or of the later panels.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface FirstWords {}
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface LaterWords {}

/** The keys of all areas. */
export type KeysOf<Areas> = { [Name in keyof Areas]: keyof Areas[Name] }[keyof Areas] & string;
