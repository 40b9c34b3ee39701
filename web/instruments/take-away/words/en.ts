/** Exports of a run. */
export const takeAway = {
  'take.empty': 'Train at least one step to export something.',
  'take.report': 'Run report',
  'take.report.help':
    'One web page without further files: curve, samples, attention of all heads, settings, and the hash of the text.',
  'take.loss': 'Loss',
  'take.loss.help':
    'The curve as a picture; the losses step by step in nats per token, with all digits, as CSV.',
  'take.model': 'The model itself',
  'take.model.help':
    'To save it as a checkpoint for this page and for PyTorch, use “{=model.title}”.',
  'formats.title': 'Export the model',
  'formats.help':
    'The model of the step you see, for programs on your machine or for a web page of yours. A README file beside it describes the model and how to open it.',
  'formats.gguf': 'GGUF',
  'formats.gguf.opens': 'Ollama, LM Studio, llama.cpp',
  'formats.gguf-f16': 'GGUF, 16 bits',
  'formats.gguf-f16.opens': 'the same programs, half the size',
  'formats.onnx': 'ONNX',
  'formats.onnx.opens': 'transformers.js, onnxruntime',
  'formats.hf': 'Hugging Face',
  'formats.hf.opens': 'transformers in Python',
  'formats.save': 'Save, about {size}',
  'formats.busy': 'Making the files…',
  'formats.saved': 'Saved: {name}, {size}.',
  'error.door':
    'This format does not support: {name}. Choose ONNX, which supports every model, or train one built like GPT-2, with the preset gpt2.',
  'error.format-bytes':
    'The text has bytes that are not UTF-8, and no file of this kind can contain tokens for them. Save the text as UTF-8 and train again, or train with bytes as tokens.',
  'take.model.go': 'Go there',
  'report.save': 'Save the report',
  'report.busy': 'Making the report…',
  'report.failed': 'The report could not be made.',
  'report.steps': '{step} {step|step|steps}',
  'report.parameters': '{count} {count|parameter|parameters}',
  'report.loss': 'Loss',
  'report.loss.end':
    'After {step} {step|step|steps} the smoothed loss was {smoothed} {unit}; random guessing is {random}.',
  'report.loss.last': 'The loss of step {step} was {smoothed} {unit}; random guessing is {random}.',
  'report.loss.other': 'In the other unit that is {loss} {unit}.',
  'report.loss.perplexity':
    'The perplexity, e to the nats per token, is {perplexity}: the next token surprises the model as much as a pick from that many equally likely ones.',
  'report.loss.validation': 'On held-out text the loss was {loss} {unit} at step {step}.',
  'report.losses': 'The losses in numbers',
  'report.rows': '{count} {count|row|rows}',
  'report.samples': 'What it wrote',
  'report.attention': 'Attention',
  'report.attention.step': 'The maps are of step {step}, the last one with recorded attention.',
  'report.probe': 'The text in the maps: “{text}”',
  'report.bytes': '“{text}” ({bytes})',
  'report.tokens': 'Its tokens: {tokens}',
  'report.settings': 'Settings',
  'report.unchanged': 'The preset {preset}, unchanged.',
  'report.changed': 'The preset {preset} with these changes: {list}.',
  'report.onTheWay':
    'Changed during the run: {list}. Only a run with the same changes at the same steps gives the same losses.',
  'report.onTheWay.one': '{name} from {was} to {now} after step {step}',
  'report.settings.caption': 'Every setting of the run',
  'report.setting': 'This run',
  'report.preset': 'Preset {preset}, where it differs',
  'report.source': 'Where it comes from',
  'report.text': 'Text: {name}, {bytes} {bytes|byte|bytes}, {tokens} {tokens|token|tokens}.',
  'report.made': 'Saved on {when}.',
  'report.receipt': 'Receipt:',
  'report.repeat':
    'The same text with the same settings and seed gives the same losses, to the last bit.',
  'report.none': 'No samples.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly takeAway: typeof takeAway;
  }
}
