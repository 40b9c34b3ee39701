/**
 * Texts that accompany an exported model: the model card, in two languages, and Ollama's Modelfile.
 * The engine fills their templates (c/formats/template.c).
 */
import cardEnglish from '../../c/formats/templates/card.en.md?raw';
import cardChinese from '../../c/formats/templates/card.zh.md?raw';
import modelfile from '../../c/formats/templates/Modelfile.txt?raw';
import { failure } from './errors.ts';
import type { ExportForm, Said } from './trainer.ts';

/** Templates of the model card by language. */
const CARDS = { en: cardEnglish, zh: cardChinese };

/** Forms of the model card, each with its field; template lines `?field …` need that field. */
const FIELDS: Partial<Record<ExportForm, string>> = {
  'card-gguf': 'gguf',
  'card-onnx': 'onnx',
  'card-hf': 'hf',
};

/** Returns the fields of a template, the template among them; null for other forms of files. */
export function templateFields(
  form: ExportForm,
  said: Said,
): Readonly<Record<string, string>> | null {
  const card = FIELDS[form];
  if (card === undefined && form !== 'Modelfile') return null;
  const { language = 'en', file = 'model.gguf', ...known } = said;
  if (!Object.hasOwn(CARDS, language)) {
    throw failure('argument', 'a card is written in en or zh', [], 'language');
  }
  // Ollama's command in the card names the Modelfile, which is called after the model's file.
  const stem = said.file?.replace(/(?<=.)\.[^.]*$/s, '');
  const modelfileName = stem === undefined ? { plain: '' } : { stem };
  return {
    template: card === undefined ? modelfile : CARDS[language],
    ...(card !== undefined && { [card]: '' }),
    ...(card === 'gguf' && modelfileName),
    file,
    ...known,
  };
}
