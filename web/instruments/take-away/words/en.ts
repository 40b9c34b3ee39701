/** Files that a run leaves behind. */
export const takeAway = {
  'take.empty': 'After the first step there is something to take away.',
  'take.report': 'Run report',
  'take.report.help':
    'One web page that needs nothing else: curve, samples, attention of all heads, settings, and the hash of the text.',
  'take.loss': 'Loss',
  'take.loss.help':
    'The curve as a picture; the losses step by step in nats per token, with all digits, as CSV.',
  'take.model': 'The model itself',
  'take.model.help':
    'As a checkpoint for this page and for PyTorch it is saved under “{=model.title}”.',
  'formats.title': 'Take the model home',
  'formats.help':
    'The model of the step you see, for programs on your machine or on a page of yours. A card beside it names its facts and the way to open it.',
  'formats.gguf': 'GGUF',
  'formats.gguf.opens': 'Ollama, LM Studio, llama.cpp',
  'formats.gguf-f16': 'GGUF, 16 bits',
  'formats.gguf-f16.opens': 'the same programs, half the size',
  'formats.onnx': 'ONNX',
  'formats.onnx.opens': 'transformers.js, onnxruntime',
  'formats.hf': 'Hugging Face',
  'formats.hf.opens': 'transformers in Python',
  'formats.save': 'Save, about {size}',
  'formats.busy': 'The files are being made …',
  'export.sandboxed':
    'In a sandboxed frame it arrives only if the page around allows it: sandbox="… allow-downloads".',
  'formats.saved': '{name} was saved, {size}.',
  'error.door':
    'This form has no way to say: {name}. ONNX has one for every model; GGUF and transformers for those that are built like GPT-2, as the preset gpt2 is.',
  'take.model.go': 'Go there',
  'report.save': 'Save the report',
  'report.busy': 'The report is being made …',
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
  'report.loss.validation': 'On text that was held out the loss was {loss} {unit} at step {step}.',
  'report.losses': 'The losses in numbers',
  'report.rows': '{count} {count|row|rows}',
  'report.samples': 'What it wrote',
  'report.attention': 'Attention',
  'report.attention.step':
    'The maps are of step {step}, the last at which attention was looked at.',
  'report.probe': 'The text that is looked at: “{text}”',
  'report.bytes': '“{text}” ({bytes})',
  'report.tokens': 'The tokens: {tokens}',
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
    'The same text with the same settings and seed gives the same losses again, to the last bit.',
  'report.none': 'None were made.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly takeAway: typeof takeAway;
  }
}
