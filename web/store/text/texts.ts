/** The sample texts, with suitable presets, probes and prompts. */
import type { Recipe } from '../../engine/options.ts';

export type SampleId = 'names' | 'moby' | 'tang';
export type SourceId = SampleId | 'own';

export interface SampleText {
  readonly id: SampleId;
  /** Path below the page's folder. */
  readonly file: string;
  /** The preset that suits the text best; `alsoSuits`: other suitable presets. */
  readonly preset: string;
  readonly alsoSuits: readonly string[];
  /**
   * The recipe on the site's own page: its names are better than those of an n-gram table, and
   * its prose has real words. Links and other forms use `preset` unchanged.
   */
  readonly onPage: Recipe;
  /** Default text of the attention panel; every character occurs in the sample text. */
  readonly probe: string;
  /** Default prompt. */
  readonly prompt: string;
}

export const SAMPLE_TEXTS: readonly SampleText[] = [
  {
    id: 'names',
    file: 'texts/first-names-en.txt',
    preset: 'microgpt',
    alsoSuits: [],
    onPage: { preset: 'microgpt', changes: { batch: 16, lr: 0.004, steps: 3000, validation: 0.1 } },
    probe: 'elisabetta',
    prompt: '',
  },
  {
    id: 'moby',
    file: 'texts/moby-dick-en.txt',
    preset: 'tinygpt',
    alsoSuits: ['gpt2'],
    onPage: { preset: 'gpt2', changes: { layers: 2, steps: 4000 } },
    probe: 'the whale and the sea',
    prompt: 'Call me ',
  },
  {
    id: 'tang',
    file: 'texts/tang-quatrains-zh.txt',
    preset: 'microgpt',
    alsoSuits: [],
    onPage: { preset: 'microgpt', changes: {} },
    probe: '春眠不觉晓，处处闻啼鸟。',
    prompt: '春',
  },
];

/** Note in a model file about its training text. */
export function noteOfText(source: string): string {
  return JSON.stringify({ text: source });
}

/** The sample text named in such a note; null if it names none. */
export function notedSample(note: string): SampleId | null {
  try {
    return findSample((JSON.parse(note) as { text: string }).text)?.id ?? null;
  } catch {
    return null;
  }
}

/** The sample text with this id; undefined for the reader's own text. */
export function findSample(id: string): SampleText | undefined {
  return SAMPLE_TEXTS.find((sample) => sample.id === id);
}
