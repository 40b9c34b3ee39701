/** Replaces `store/text/detect.ts` in forms of one file: there the reader chooses the encoding. */
export const rankEncodings = (): string[] => ['windows-1252'];
