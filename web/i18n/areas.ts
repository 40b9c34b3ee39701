/**
 * Types of the catalogues' keys. Each English file, in `i18n/en` and `instruments/NAME/words`,
 * declares its keys as part of the first screen or of the later panels.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface FirstWords {}
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface LaterWords {}

/** The keys of all areas. */
export type KeysOf<Areas> = { [Name in keyof Areas]: keyof Areas[Name] }[keyof Areas] & string;
