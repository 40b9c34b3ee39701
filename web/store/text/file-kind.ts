/**
 * Recognises files that are no texts by their first bytes, independent of their names. The command
 * line has the same list: KINDS in c/cli/train_gpt_text.c.
 */

export interface FileKind {
  /** Suffix of the key `kind.…` in the catalogue. */
  readonly kind:
    | 'archive'
    | 'document'
    | 'picture'
    | 'sound'
    | 'film'
    | 'font'
    | 'database'
    | 'program'
    | 'model'
    | 'data';
  /** Name of the format. */
  readonly format: string;
}

/** Number of bytes inspected. */
const LOOKED_AT = 512;

/**
 * Patterns of the first bytes; the first match counts. A pattern sees each byte as the character of
 * the same number, or as its control picture (U+2400 + byte) if below 32.
 */
const KINDS: readonly (readonly [FileKind['kind'], string, RegExp])[] = [
  ['model', 'PyTorch', /^PK␃␄.{26}[^/]+\/(?:data\.pkl|\.format_version|byteorder|version)/s],
  ['model', 'PyTorch', /^\x80[␂-␅](?:\x8a␊|\x95|[}(c])/],
  ['model', 'safetensors', /^.{5}␀{3}\{["}]/s],
  ['model', 'GGUF', /^GGUF.␀/s],
  ['model', 'llm.c', /^\xc6\xd7\x34␁/],
  ['model', 'ONNX', /^.{2}␒␊glasshouse/s],
  ['data', 'HDF5', /^\x89HDF␍␊/],
  ['data', 'NumPy', /^\x93NUMPY|^PK␃␄.{26}[^/]+\.npy/s],
  ['document', 'EPUB', /^PK␃␄.{26}mimetypeapplication\/epub/s],
  ['document', 'OpenDocument', /^PK␃␄.{26}mimetypeapplication\/vnd/s],
  [
    'document',
    'Office',
    /^PK␃␄.{26}(?:\[Content_Types\]|_rels\/|docProps\/)|^\xd0\xcf␑\xe0\xa1\xb1/s,
  ],
  ['document', 'PDF', /^%PDF-/],
  ['document', 'RTF', /^(?:\xef\xbb\xbf)?\{\\rtf/],
  ['program', 'JAR', /^PK␃␄.{26}META-INF\//s],
  ['archive', 'ZIP', /^PK(?:␃␄|␅␆|␇␈)/],
  ['archive', 'gzip', /^␟\x8b/],
  ['archive', 'xz', /^\xfd7zXZ␀/],
  ['archive', 'Zstandard', /^\x28\xb5\x2f\xfd/],
  ['archive', 'bzip2', /^BZh[1-9]1AY&SY/],
  ['archive', '7z', /^7z\xbc\xaf\x27␜/],
  ['archive', 'RAR', /^Rar!␚␇/],
  ['archive', 'tar', /^.{257}ustar[␀ ]/s],
  ['picture', 'PNG', /^\x89PNG␍␊/],
  ['picture', 'JPEG', /^\xff\xd8\xff/],
  ['picture', 'GIF', /^GIF8[79]a/],
  ['picture', 'WebP', /^RIFF.{4}WEBP/s],
  ['picture', 'TIFF', /^(?:II\x2a␀|MM␀\x2a)/],
  ['picture', 'HEIC/AVIF', /^␀.{3}ftyp(?:hei|mif|avi)/s],
  ['sound', 'WAV', /^RIFF.{4}WAVE/s],
  ['sound', 'MP3', /^(?:ID3[␂-␄]|\xff[\xfb\xf3\xf2])/],
  ['sound', 'Ogg', /^OggS␀/],
  ['sound', 'FLAC', /^fLaC␀/],
  ['film', 'MP4', /^␀.{3}ftyp/s],
  ['film', 'Matroska/WebM', /^␚E\xdf\xa3/],
  ['film', 'AVI', /^RIFF.{4}AVI /s],
  ['font', 'WOFF', /^wOF[F2]/],
  ['font', 'OpenType', /^(?:OTTO␀|␀␁␀␀␀)/],
  ['database', 'SQLite', /^SQLite format 3␀/],
  ['data', 'Parquet', /^PAR1␕/],
  ['program', 'ELF', /^\x7fELF/],
  ['program', 'Windows', /^MZ.{58}.{2}␀␀.*PE␀␀/s],
  ['program', 'Mach-O', /^(?:\xcf\xfa\xed\xfe|\xca\xfe\xba\xbe)/],
  ['program', 'WebAssembly', /^␀asm/],
];

/** The kind of the file; null if it may be a text. */
export function fileKind(bytes: Uint8Array): FileKind | null {
  const start = Array.from(bytes.subarray(0, LOOKED_AT), (byte) =>
    String.fromCharCode(byte < 32 ? 0x2400 + byte : byte),
  );
  const found = KINDS.find(([, , pattern]) => pattern.test(start.join('')));
  return found === undefined ? null : { kind: found[0], format: found[1] };
}
