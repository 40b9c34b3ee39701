/** Error messages: what happened, then what to do. */
export const errors = {
  'error.cancelled': 'Cancelled.',
  'error.argument': 'The engine received an impossible request. Reload the page.',
  'error.memory':
    'This needs {0} of memory, but at most {1} can be used. Choose fewer channels or layers, a smaller batch, or a shorter context or text.',
  'error.allocation':
    'The browser refused {0} of memory. Close other tabs, or choose a smaller model.',
  'error.option': 'There is no option called {name}. Check the spelling.',
  'error.range': '{name} is {0}, but must be from {1} to {2}.',
  'error.whole': '{name} is {0}, but must be a whole number.',
  'error.number': '{name} must be a number from {0} to {1}.',
  'error.number.whole': '{name} must be a whole number from {0} to {1}.',
  'error.heads':
    '{0} {0|channel|channels} cannot be shared equally by {1} {1|head|heads}. Choose a number of heads that divides the channels.',
  'error.empty': 'There is no text yet. Paste some, open a file, or choose one of the texts above.',
  'error.blank':
    'This text has only spaces and line ends: there is nothing to learn. Add some words, or choose one of the texts above.',
  'error.text-unsent':
    'This link does not include the text. Ask for a link with the text, paste the text here, open a file, or choose one of the texts above.',
  'error.model-gone': 'Opened files are not saved here: open {name} again to continue.',
  'error.text-gone':
    'The browser lost your text when the page was reloaded. Open or paste it again, or choose one of the texts above.',
  'error.short':
    'The text has {0} {0|token|tokens}, but a context of {1} needs at least {2}. Add text, or choose a shorter context.',
  'error.character':
    'The model has no token for {name}: its training text does not contain it. Use other characters, or train on a text that contains it.',
  'error.long': 'That is {0} {0|token|tokens}, but only {1} fit. Use a shorter text.',
  'error.diverged':
    'At step {0} the loss stopped being a number: the steps were too large. Rewind and choose a smaller learning rate.',
  'error.fixed': '{name} cannot change during a run. Start a new run with it.',
  'error.capacity': 'The answer has {0} {0|byte|bytes}, but at most {1} fit. Ask for less.',
  'error.state': 'That is not possible right now. Try again; if it keeps failing, reload the page.',
  'error.vocabulary':
    'The text has {0} different {0|character|characters}, but at most {1} {1|fits|fit}. Choose bytes as tokens.',
  'error.preset': 'There is no preset called {name}. Check the spelling.',
  'error.text-size': 'The text has {0}, but at most {1} can be used. Use a part of it.',
  'error.left-out-range':
    '“{name}” is not a range of bytes. Write from:to, such as 812:840, counted from 0, with commas between ranges.',
  'error.left-out-count':
    'At most {0} separate parts of the text can be left out. Choose fewer, or parts that lie side by side.',
  'error.left-out-end':
    'Byte {0} cannot be left out: the text has {1} {1|byte|bytes}. Choose parts within the text.',
  'error.left-out-all':
    'Too much is left out: {0} of {1} {1|position|positions} to train on {0|remains|remain}, but at least one in 1000 must. Leave less out, or choose a shorter context.',
  'error.file-size': 'The file has {0}, but at most {1} can be opened. Use a part of it.',
  'error.file-kind':
    '{name} is not a text but {kind}. Open a text file instead, such as .txt, .md or .csv. Your text stays as it was.',
  'error.file-kind-model':
    '{name} is not a text but a model ({format}). Open models with “{=model.open}”, from .safetensors files. Your text stays as it was.',
  'error.file-kind-document':
    '{name} is not a text but {kind}. Save it as plain text (.txt) in the program that opens it, and open that file. Your text stays as it was.',
  'error.rtf':
    'This is an RTF file, with codes between the words. Save it as plain text (.txt) in the program that made it and open that file, or copy only the text.',
  'kind.archive': 'an archive ({format})',
  'kind.document': 'a document ({format})',
  'kind.picture': 'a picture ({format})',
  'kind.sound': 'a sound ({format})',
  'kind.film': 'a film ({format})',
  'kind.font': 'a font ({format})',
  'kind.database': 'a database ({format})',
  'kind.program': 'a program ({format})',
  'kind.data': 'data ({format})',
  'kind.bytes': 'binary data',
  'error.several-files':
    'Only one text can be opened at a time: choose one of these {0} files. Your text stays as it was.',
  'error.receipt-file':
    '{name} is the receipt of a run, not a text to learn. To check it, paste its content under “{=runs.title}”. Your text stays as it was.',
  'error.text-left':
    '{name} was not opened, because a model was opened with it. To learn this text, open it by itself.',
  'error.file-empty': '{name} is empty. Your text stays as it was.',
  'error.bpe-json':
    '{name} cannot be read at byte {0}. It must be one JSON object of tokens and their ids.',
  'error.bpe-size': '{name} has more than {0} {0|entry|entries}. Use a smaller vocabulary.',
  'error.bpe-id':
    '{name} contains the id {0}. Ids must be whole numbers from 0 to {1}, each of one token.',
  'error.bpe-token-length': '{name}: token {0} must have from {1} to {2} {2|byte|bytes}.',
  'error.bpe-token-twice': 'Tokens {0} and {1} of the vocabulary are the same. Remove one.',
  'error.bpe-byte': 'The vocabulary has no token for the single byte {0}. Use the whole file.',
  'error.bpe-merge':
    'Line {0} of the merges must be two tokens with one space between them. Get the file again.',
  'error.bpe-merge-unknown':
    'Line {0} of the merges: the vocabulary has no token {name}. Choose files that belong together.',
  'error.bpe-merge-twice': 'Line {0} of the merges repeats an earlier pair. Remove one.',
  'error.file': 'This is not a file of the expected kind, or it is damaged. The problem: {name}.',
  'error.file-header':
    'This is not a model file, or its beginning is damaged. Get it again, or choose another.',
  'error.file-long': 'The file is longer than its header says. Get it again.',
  'error.tensor-bytes':
    'The file is damaged: the size of the tensor {name} does not match its shape. Get it again.',
  'error.tensor-place':
    'The file is damaged: the tensor {name} overlaps another one or leaves a gap. Get it again.',
  'error.tensor-twice': 'The file is damaged: it has two tensors called {name}. Get it again.',
  'error.tensor-tied':
    'The tensor {name} must equal the token table it is tied to, but it differs. Get the file again.',
  'error.tensor-number':
    'The tensor {name} has values that are not finite numbers: the run diverged before it was saved, or the file is damaged. Choose another file.',
  'error.not-finite':
    'The model’s numbers are not finite, first in {name} at token {0}: its weights are too large. Choose another file, or start over with a smaller learning rate.',
  'error.file-pointer':
    'This file is only a Git LFS pointer to the model. Get the file itself with git lfs pull, or download it from the model’s page.',
  'error.file-web-page':
    'This is a web page or a server’s error message, not a model. Download the file itself from the model’s page.',
  'error.file-pickle':
    'This is a PyTorch file (pickle), which can run code when it is read, so it is not opened here. First save the model as model.safetensors, with save_pretrained in transformers.',
  'error.file-zip':
    'This ZIP archive is not a PyTorch checkpoint. Open the file of a model itself (.safetensors, .gguf, .pt or .bin); if it is packed in this archive, unpack it first.',
  'error.truncated': 'The file has {0} {0|byte|bytes}, but its header says {1}. Get it again.',
  'error.tensor-missing':
    'The file lacks the tensor {name}, which this model needs. Choose another file.',
  'error.tensor-extra':
    'The file has a tensor that this model does not have: {name}. Choose another file.',
  'error.tensor-shape':
    'A tensor does not have the shape that this model needs: {name}. Choose another file.',
  'error.tensor-type':
    'A tensor has a number type that cannot be used: {name}. Choose another file.',
  'error.unsupported': 'The file needs {name}, which is not supported. Choose another file.',
  'error.text-differs':
    'This is not the training text of the run ({0} {0|byte|bytes}). Open that text to continue, or train the weights on the new one.',
  'error.no-text':
    'This model was opened only to write. To train it, choose “{=model.train}” beside its name.',
  'error.no-run':
    'The file has weights but no run to continue. Train its weights, or let it write.',
  'error.vocabulary-file':
    'The model has {0} {0|token|tokens}, but the file does not list them. Choose its vocabulary together with it: vocab.json and merges.txt, or tokenizer.json.',
  'error.config-file':
    'These are weights without the settings of their model. Choose config.json and the tokenizer (vocab.json and merges.txt, or tokenizer.json) of the same folder together with them.',
  'error.vocabulary-size':
    'The model has {0} {0|token|tokens}, but the vocabulary has {1}. Choose files that belong together.',
  'error.export':
    'GPT-2 in transformers does not support: {name}. Choose ONNX, which supports every model, or train a new one with the preset gpt2.',
  'error.origin':
    'The first weights of this run came from a file or from another run. To start over, open that file or that run.',
  'error.changes':
    'This run cannot record more than {0} changes. Start a new run with the {name} you want.',
  'error.choice': 'That is not a value of this option: {name}.',
  'error.not-a-model': '{name} is not a model. Open a text with “{=text.open}”.',
  'error.tokenizer-part':
    '{name} is part of a tokenizer. Choose it together with the weights (model.safetensors), config.json and the other tokenizer files of the same folder. Your text stays as it was.',
  'error.meta-file':
    '{name} lists the characters of a nanoGPT model and cannot be read here. Open ckpt.pt together with vocab.json and merges.txt, or with tokenizer.json.',
  'error.part-answer':
    '{name} is not the file itself but a server’s answer: a page, an error, or a Git LFS pointer. Download it again from the model’s page.',
  'error.not-a-config':
    '{name} has no settings of a model. Choose the config.json that belongs to these weights, or leave it out.',
  'error.no-weights':
    'The weights are missing. Choose them together with the others: a .safetensors file, all shards with their index, or the raw form’s JSON with its .bin files.',
  'error.part-missing': 'The file {name} of this model is missing. Choose all its files together.',
  'error.part-size': '{name} has {0} {0|byte|bytes}, but should have {1}. Get it again.',
  'error.several-weights':
    'There are several files of weights, such as {name}. Choose the one with the whole model, or all .safetensors shards with model.safetensors.index.json.',
  'error.file-locked': '{name} was not opened: it would change what is fixed for this lesson.',
  'error.file-shard':
    '{name} is only a part of a model. First save the whole model as safetensors, with save_pretrained in transformers.',
  'error.file-model': '{name} is set by the opened file. To change it, choose “{=model.close}”.',
  'error.file-read': 'The file could not be read: {name}.',
  'error.fetch': 'The text could not be loaded. Check the connection, or paste a text.',
  'error.language':
    'The other language could not be loaded. Check the connection and choose it again.',
  'error.load': 'The engine could not be loaded. Check the connection and reload the page.',
  'error.load.server':
    'The server has no engine for this page, or sent something else in its place. Reload the page; if that does not help, tell the people who run this site.',
  'error.script':
    'A part of this page could not be loaded. Check the connection and try again, or reload the page.',
  'error.worker': 'The background worker stopped. Reload the page to continue.',
  'error.no-worker':
    'This needs a background worker, and none may start here. Open the whole page in its own tab.',
  'error.unexpected': 'Something unexpected went wrong. Reload the page. ({name})',
  noload: 'A part of this page could not be loaded. Check the connection and reload.',
  sandboxed:
    'The sandbox of this frame keeps the page from loading. Open it in its own tab, or add allow-same-origin to the sandbox.',
  nosimd:
    'This browser cannot run WebAssembly SIMD, which training needs. Please use Chromium or Edge 105, Firefox 110, Safari 16.4, or anything newer. If yours is one of these, switch WebAssembly on.',
  noscript: 'This page trains a model in your browser, so it needs JavaScript.',
} as const;

declare module '../areas.ts' {
  interface FirstWords {
    readonly errors: typeof errors;
  }
}
