/**
 * Text encodings by their names in the Encoding Standard. UTF-32 and code page 850, which browsers
 * lack, are decoded here.
 */
import { decodeUtf32 } from '../../base/utf-32.ts';

/** The encodings that a reader can choose, with display names, most frequent first. */
export const ENCODINGS: ReadonlyMap<string, string> = new Map(
  (
    'UTF-8,UTF-16LE,UTF-16BE,UTF-32LE,UTF-32BE,' +
    'Windows-1252,Windows-1250,Windows-1251,Windows-1253,Windows-1254,Windows-1255,Windows-1256,' +
    'Windows-1257,Windows-1258,Windows-874,GB18030,Big5,Shift_JIS,EUC-JP,ISO-2022-JP,EUC-KR,' +
    'KOI8-R,KOI8-U,IBM866,Macintosh,X-Mac-Cyrillic,IBM850,' +
    'ISO-8859-2,ISO-8859-3,ISO-8859-4,ISO-8859-5,ISO-8859-6,ISO-8859-7,ISO-8859-8,ISO-8859-10,' +
    'ISO-8859-13,ISO-8859-14,ISO-8859-15,ISO-8859-16'
  )
    .split(',')
    .map((name) => [name.toLowerCase(), name]),
);

/** Decodes a stream; every piece but the last has a multiple of four bytes. */
export interface PieceDecoder {
  /** Call without a piece at the end; returns U+FFFD if the last character is incomplete. */
  decode(piece?: Uint8Array): string;
}

/** Creates a decoder. A byte order mark becomes U+FEFF. */
export function decoderOf(encoding: string): PieceDecoder {
  if (encoding.startsWith('utf-32')) {
    return {
      decode: (piece = new Uint8Array()) => decodeUtf32(piece, encoding === 'utf-32le'),
    };
  }
  if (encoding === 'ibm850') {
    return { decode: (piece = new Uint8Array()) => Array.from(piece, letterOf850).join('') };
  }
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return {
    decode: (piece) =>
      piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true }),
  };
}

/** Characters of code page 850 from byte 128. */
const CODE_PAGE_850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤' +
  'ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

function letterOf850(byte: number): string {
  return byte < 128 ? String.fromCharCode(byte) : CODE_PAGE_850[byte - 128]!;
}
