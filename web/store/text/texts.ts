/** The sample texts, and what suits each of them. */

export type SampleId = 'names' | 'moby' | 'tang';
export type SourceId = SampleId | 'own';

export interface SampleText {
  readonly id: SampleId;
  /** Beside the page. */
  readonly file: string;
  /** The preset under which the text makes the most sense, and others that read it as well. */
  readonly preset: string;
  readonly alsoSuits: readonly string[];
  /** A text to look at with attention; its characters are all in the sample text. */
  readonly probe: string;
  /** A beginning for the model to go on from. */
  readonly prompt: string;
}

export const SAMPLE_TEXTS: readonly SampleText[] = [
  {
    id: 'names',
    file: 'texts/first-names-en.txt',
    preset: 'microgpt',
    alsoSuits: [],
    probe: 'elisabetta',
    prompt: '',
  },
  {
    id: 'moby',
    file: 'texts/moby-dick-en.txt',
    preset: 'tinygpt',
    alsoSuits: ['gpt2'],
    probe: 'the whale and the sea',
    prompt: 'Call me ',
  },
  {
    id: 'tang',
    file: 'texts/tang-quatrains-zh.txt',
    preset: 'microgpt',
    alsoSuits: [],
    probe: '春眠不觉晓，处处闻啼鸟。',
    prompt: '春',
  },
];

/** What the file of a model says of the text that it learned. */
export function noteOfText(source: string): string {
  return JSON.stringify({ text: source });
}

/** The sample text that a file says it learned from; null if it names none. */
export function notedSample(note: string): SampleId | null {
  try {
    return findSample((JSON.parse(note) as { text: string }).text)?.id ?? null;
  } catch {
    return null;
  }
}

/** The sample text called `id`, or undefined for the reader's own text. */
export function findSample(id: string): SampleText | undefined {
  return SAMPLE_TEXTS.find((sample) => sample.id === id);
}
