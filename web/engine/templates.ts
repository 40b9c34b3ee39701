/**
 * Texts beside an exported model: the model card, in the reader's language, and Ollama's Modelfile.
 * The templates stand in c/formats/templates; the engine fills them (c/formats/template.c).
 */
import cardEnglish from '../../c/formats/templates/card.en.md?raw';
import cardChinese from '../../c/formats/templates/card.zh.md?raw';
import modelfile from '../../c/formats/templates/Modelfile.txt?raw';
import type { ExportForm, Said } from './trainer.ts';

/** Forms that are cards, and the field that their lines in a template ask for. */
const CARDS: Partial<Record<ExportForm, string>> = {
  'card-gguf': 'gguf',
  'card-onnx': 'onnx',
  'card-hf': 'hf',
};

/** The fields to fill a template with; null for a form that is none. */
export function templateFields(
  form: ExportForm,
  said: Said,
): Readonly<Record<string, string>> | null {
  const card = CARDS[form];
  if (card === undefined && form !== 'Modelfile') return null;
  const { language = 'en', file = 'model.gguf', ...known } = said;
  const template = language === 'zh' ? cardChinese : cardEnglish;
  // Ollama's command names the Modelfile, which is called after the file of the model, if named.
  const stem = said.file?.replace(/(?<=.)\.[^.]*$/s, '');
  const modelfileName = stem === undefined ? { plain: '' } : { stem };
  return {
    template: card === undefined ? modelfile : template,
    ...(card !== undefined && { [card]: '' }),
    ...(card === 'gguf' && modelfileName),
    ...{ file, tokens: '20', prompt: '' },
    ...known,
  };
}
