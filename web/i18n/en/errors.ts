/** What went wrong, and what to do. */
export const errors = {
  'error.cancelled': 'Cancelled.',
  'error.argument': 'The engine was asked for something impossible. Reload the page.',
  'error.memory':
    'This would need {0} of memory, but only {1} may be used. Choose fewer channels or layers, a smaller batch, or a shorter context or text.',
  'error.allocation':
    'The browser refused {0} of memory. Close other tabs, or choose a smaller model.',
  'error.option': 'There is no option called {name}.',
  'error.range': '{name} is {0}, but must be from {1} to {2}.',
  'error.whole': '{name} is {0}, but must be a whole number.',
  'error.number': '{name} must be a number from {0} to {1}.',
  'error.number.whole': '{name} must be a whole number from {0} to {1}.',
  'error.heads':
    '{0} {0|channel|channels} cannot be shared equally by {1} {1|head|heads}. Choose a number of heads that divides the channels.',
  'error.empty': 'There is no text yet. Paste some, open a file, or choose one of the texts above.',
  'error.blank':
    'This text has only spaces and line ends, so there is nothing in it to learn. Add some words, or choose one of the texts above.',
  'error.text-unsent':
    'This address does not carry its text, which is somebody’s own. Ask for a link with the text in it, paste the text here, open a file, or choose one of the texts above.',
  'error.model-gone': 'Opened files are not kept: open {name} again to go on with it.',
  'error.text-gone':
    'The browser did not keep your text over the reload. Open or paste it again, or choose one of the texts above.',
  'error.short':
    'The text has {0} {0|token|tokens}, but a context of {1} needs at least {2}. Add text, or choose a shorter context.',
  'error.character':
    'The model has no token for {name}, which the text it learned from does not have. Use other characters, or train on a text that has them.',
  'error.long': 'That is {0} {0|token|tokens}, but there is room for {1}. Use a shorter text.',
  'error.diverged':
    'At step {0} the loss stopped being a number: the steps were too large. Rewind and choose a smaller learning rate.',
  'error.fixed': '{name} cannot change during a run. Start a new one with it.',
  'error.capacity': 'The answer has {0} {0|byte|bytes}, more than the {1} that there is room for.',
  'error.state': 'That cannot be done right now. Try again; if it keeps failing, reload the page.',
  'error.vocabulary':
    'The text has {0} different {0|character|characters}, but at most {1} {1|fits|fit}. Choose bytes as tokens.',
  'error.preset': 'There is no preset called {name}.',
  'error.text-size': 'The text has {0}, but at most {1} can be used. Choose a part of it.',
  'error.left-out-range':
    '“{name}” is no range of bytes to leave out. Write from:to, such as 812:840, counted from 0, with commas between ranges.',
  'error.left-out-count':
    'More than {0} separate parts of the text are to be left out. Choose fewer, or parts that lie side by side.',
  'error.left-out-end':
    'Byte {0} is to be left out, but the text has {1} {1|byte|bytes}. Choose parts within the text.',
  'error.left-out-all':
    'Too much is left out: of {1} {1|place|places} to train on {0} {0|remains|remain}, but at least one in 1000 must. Leave less out, or choose a shorter context.',
  'error.file-size': 'The file has {0}, but at most {1} can be opened here. Use a part of it.',
  'error.file-kind':
    '{name} is not a text but {kind}. Open a text file instead, such as .txt, .md or .csv. Your text stays as it was.',
  'error.file-kind-model':
    '{name} is not a text but a model ({format}). A model is opened with “{=model.open}”, from .safetensors files. Your text stays as it was.',
  'error.file-kind-document':
    '{name} is not a text but {kind}. Save it as plain text (.txt) in the program that opens it, and open that file. Your text stays as it was.',
  'error.rtf':
    'This is RTF: there are codes between the words. Save it as plain text (.txt) in the program that made it and open that file, or copy only the text.',
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
    'One text at a time can be opened: choose one of these {0} files. Your text stays as it was.',
  'error.receipt-file':
    '{name} is the receipt of a run, not a text to learn. Paste its content in the tab “{=runs.title}” to check it. Your text stays as it was.',
  'error.text-left':
    '{name} was not opened, since a model came with it. To learn this text, open it by itself.',
  'error.file-empty': '{name} is empty. Your text stays as it was.',
  'error.bpe-json':
    '{name} cannot be read at byte {0}. It must be one object of tokens and their ids.',
  'error.bpe-size': '{name} has more than {0} {0|entry|entries}. Use a smaller vocabulary.',
  'error.bpe-id':
    '{name} gives the id {0}. Ids must be whole numbers from 0 to {1}, each of one token.',
  'error.bpe-token-length': '{name}: token {0} must have from {1} to {2} {2|byte|bytes}.',
  'error.bpe-token-twice': 'Tokens {0} and {1} of the vocabulary are the same. Remove one.',
  'error.bpe-byte': 'The vocabulary has no token for the single byte {0}. Use the whole file.',
  'error.bpe-merge': 'Line {0} of the merges: this is not two tokens with one space between them.',
  'error.bpe-merge-unknown':
    'Line {0} of the merges: the vocabulary has no token {name}. Choose files that belong together.',
  'error.bpe-merge-twice': 'Line {0} of the merges: this pair came before. Remove one.',
  'error.file':
    'This is not a file of the expected kind, or it is damaged. What cannot be right: {name}.',
  'error.file-header':
    'This is not a model file, or it is damaged at its beginning. Get it again, or choose another.',
  'error.file-long': 'The file has more bytes than its header speaks of. Get it again.',
  'error.tensor-bytes':
    'The file is damaged: the bytes of the tensor {name} do not make its shape. Get it again.',
  'error.tensor-place':
    'The file is damaged: the bytes of the tensor {name} overlap others or leave a gap. Get it again.',
  'error.tensor-twice': 'The file is damaged: it has two tensors called {name}. Get it again.',
  'error.tensor-tied':
    'The tensor {name} must be the same as the token table that it is tied to, and it is not.',
  'error.tensor-number':
    'The tensor {name} holds values that are not finite numbers: the run had gone wrong before it was saved, or the file is damaged. Choose another file.',
  'error.not-finite':
    'The model’s numbers are not finite, first in {name} at token {0}: its weights are too large. Choose another file, or start over with a smaller learning rate.',
  'error.file-pointer':
    'This file is only a pointer of Git LFS to the model. Get the file itself with git lfs pull, or download it from the model’s page.',
  'error.file-web-page':
    'This is a web page or an error message of a web server, and no model. Download the file itself from the model’s page.',
  'error.file-pickle':
    'This is a PyTorch file (pickle), which can run code when it is read, so it is not opened here. Save the model as model.safetensors first, with save_pretrained in transformers.',
  'error.file-zip':
    'This ZIP archive holds no checkpoint of PyTorch. Open the file of a model itself (.safetensors, .gguf, .pt or .bin); if it is packed in this archive, unpack it first.',
  'error.truncated':
    'The file has {0} {0|byte|bytes} where its header speaks of {1}. Get it again.',
  'error.tensor-missing': 'The file has no tensor {name}, which this model needs.',
  'error.tensor-extra': 'The file has a tensor {name}, which this model does not know.',
  'error.tensor-shape': 'A tensor has another shape than this model needs: {name}.',
  'error.tensor-type': 'A tensor has a number type that cannot be used there: {name}.',
  'error.unsupported': 'The file asks for {name}, which is not supported.',
  'error.text-differs':
    'This is not the text that the run learned from ({0} {0|byte|bytes}). Give that text to go on, or train the weights on the new one.',
  'error.no-text':
    'This model was opened to write only. To train it, choose “{=model.train}” beside its name.',
  'error.no-run':
    'The file holds weights but no run to go on with. Train its weights, or let it write.',
  'error.vocabulary-file':
    'The file has {0} {0|token|tokens} but does not say which. Choose its vocabulary together with it: vocab.json and merges.txt, or tokenizer.json.',
  'error.config-file':
    'These are weights without the settings of their model. Drop or choose config.json and the tokenizer (vocab.json and merges.txt, or tokenizer.json) of the same folder together with them.',
  'error.vocabulary-size':
    'The model has rows for {0} {0|token|tokens} and the vocabulary has {1}. Choose files that belong together.',
  'error.export':
    'GPT-2 in transformers has no place for: {name}. Choose ONNX, which has a place for every model, or train a new one with the preset gpt2, whose settings all fit.',
  'error.origin':
    'The first weights of this run came from a file or from another run. Open that file again, or go to that run, to start over.',
  'error.changes':
    'The log of changes of this run is full ({0}). Start a new run with the {name} you want.',
  'error.choice': 'That is not a value of this option: {name}.',
  'error.not-a-model': '{name} is not a model. A text to learn is opened with “{=text.open}”.',
  'error.tokenizer-part':
    '{name} is a part of a tokenizer. Drop or choose it together with the weights (model.safetensors), config.json and the other tokenizer files of the same folder. Your text stays as it was.',
  'error.meta-file':
    '{name} lists the characters of a model of nanoGPT and is not read here. Open ckpt.pt together with vocab.json and merges.txt, or with tokenizer.json.',
  'error.part-answer':
    '{name} is not the file itself but an answer of a web server: a page, an error, or a pointer of Git LFS. Download it again from the model’s page.',
  'error.not-a-config':
    '{name} holds no settings of a model. Choose the config.json that belongs to these weights, or leave it out.',
  'error.no-weights':
    'The weights are missing. Choose them together with the others: a .safetensors file, all shards with their index, or the raw form’s JSON with its .bin files.',
  'error.part-missing':
    'The file {name} belongs to this model and is missing. Choose all its files together.',
  'error.part-size': '{name} has {0} {0|byte|bytes} where {1} {1|is|are} announced. Get it again.',
  'error.several-weights':
    'There are several files of weights, such as {name}. Choose the one that holds the whole model, or all .safetensors shards with model.safetensors.index.json.',
  'error.file-shard':
    '{name} holds only a part of a model. Save the whole model as safetensors first, with save_pretrained in transformers.',
  'error.file-model':
    '{name} belongs to the model in the file. To change it, choose “{=model.close}”.',
  'error.file-read': 'The file could not be read: {name}.',
  'error.fetch': 'The sample text could not be loaded. Check the connection, or paste a text.',
  'error.language':
    'The other language could not be loaded. Check the connection and choose it again.',
  'error.load': 'The engine could not be loaded. Check the connection and reload the page.',
  'error.worker': 'The background worker stopped. Reload the page to go on.',
  'error.unexpected': 'Something went wrong that should not have: {name}',
  noload: 'A part of this page could not be loaded. Check the connection and reload.',
  sandboxed:
    'The sandbox of this frame keeps this browser from loading the page. Open it in a tab of its own, or let the sandbox also have allow-same-origin.',
  nosimd:
    'This browser cannot run WebAssembly SIMD, which training needs. Please use Chromium or Edge 98, Firefox 92, Safari 16.4, or anything newer. If it is one of these, WebAssembly is switched off in it: switch it on.',
  noscript: 'This page trains a model in your browser, so it needs JavaScript.',
} as const;
