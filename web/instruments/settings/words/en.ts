/** Presets, options, the choices of an option, and their descriptions. */
export const settings = {
  'settings.title': 'Model and training',
  'settings.preset': 'Preset',
  'settings.for': 'Made for',
  'settings.named': '{for} ({preset})',
  'settings.changed': 'Changed: {list}.',
  'settings.changed.preset': '{preset}, changed: {list}.',
  'settings.suited': '{preset}, set for this text.',
  'settings.as.model': 'As in the opened file, which differs from {preset} in: {list}.',
  'settings.as.lesson': 'As in the lesson, which differs from {preset} in: {list}.',
  'settings.reset.preset': 'Back to the preset',
  'settings.reset.lesson': 'Back to the lesson’s settings',
  'settings.reset.model': 'Back to the file’s settings',
  'settings.more': 'More settings',
  'settings.all': 'All settings',
  'settings.about': 'What is “{name}”?',
  'settings.larger': '{name}: larger',
  'settings.smaller': '{name}: smaller',
  'settings.group.data': 'Reading the text',
  'settings.group.model': 'Model',
  'settings.group.training': 'Training',
  'preset.tinygpt.for': 'Prose',
  'preset.microgpt.for': 'Lines',
  'preset.gpt2.for': 'Words and pieces',
  'preset.tinygpt': 'Prose, byte by byte (tinygpt).',
  'preset.microgpt': 'Lines: names, short poems (microgpt).',
  'preset.gpt2': 'Prose, in word pieces: longer runs (gpt2).',
  'option.tokenizer': 'Tokens',
  'option.tokenizer.help':
    'The pieces in which the model reads the text. Bytes work for any text, with 256 tokens; characters are those of your text; word pieces are frequent groups of bytes, learned from your text as in GPT-2.',
  'choice.tokenizer.byte': 'Bytes',
  'choice.tokenizer.char': 'Characters',
  'choice.tokenizer.bpe': 'Word pieces (BPE)',
  'option.vocabulary': 'Vocabulary',
  'option.vocabulary.help':
    'For word pieces: how many different tokens to learn. Frequent neighbours are merged until that number is reached.',
  'option.special_tokens': 'Special tokens',
  'option.special_tokens.help':
    'Read <|endoftext|> in the text as the token that begins a document, if the vocabulary has one.',
  'option.sequences': 'Read as',
  'option.sequences.help':
    'Stream: windows are cut out of the text at random. Line by line: every line is a separate document, learned from its beginning.',
  'choice.sequences.stream': 'Stream',
  'choice.sequences.documents': 'Line by line',
  'option.validation': 'Held-out share',
  'option.validation.help':
    'This share of the text is held out from training. The loss on it shows whether the model learns rules or only learns by heart. 0.1 holds out a tenth.',
  'option.seed': 'Seed',
  'option.seed.help':
    'The number from which all randomness starts. With everything else equal, the same seed gives exactly the same run.',
  'option.layers': 'Layers',
  'option.layers.help':
    'Number of layers, each with attention and an MLP. More can learn more complex rules, but take longer.',
  'option.heads': 'Heads',
  'option.heads.help':
    'Number of attention heads in each layer; each looks back in its own way. It must divide the number of channels.',
  'option.channels': 'Channels',
  'option.channels.help':
    'How many numbers describe each token inside the model. Twice as many means about four times the work.',
  'option.context': 'Context',
  'option.context.help': 'How many tokens the model can see at once.',
  'option.norm': 'Normalisation',
  'option.norm.help':
    'Keeps numbers at a steady size between layers. LayerNorm also removes their mean; RMSNorm does not.',
  'choice.norm.layernorm': 'LayerNorm',
  'choice.norm.rmsnorm': 'RMSNorm',
  'option.norm_gain': 'Learned gains',
  'option.norm_gain.help': 'Each normalisation also learns how strongly to pass on each channel.',
  'option.activation': 'Activation',
  'option.activation.help':
    'The curved function in the middle of each layer’s small network. Without it, that network could do no more than a single matrix.',
  'choice.activation.gelu': 'GELU',
  'choice.activation.relu2': 'Squared ReLU',
  'option.bias': 'Biases',
  'option.bias.help': 'Each weight matrix also learns numbers to add.',
  'option.tied_head': 'Tied output matrix',
  'option.tied_head.help':
    'One table turns tokens into numbers at the start and numbers into tokens at the end.',
  'option.head_bias': 'Output bias',
  'option.head_bias.help': 'The output also learns how common each token is by itself.',
  'option.embedding_norm': 'Normalise the input',
  'option.embedding_norm.help': 'One more normalisation right after tokens become numbers.',
  'option.final_norm': 'Normalise the output',
  'option.final_norm.help': 'One more normalisation before the output.',
  'option.norm_epsilon': 'Normalisation ε',
  'option.norm_epsilon.help':
    'Added to the variance, so that vectors of equal numbers are not divided by zero. Models from elsewhere may use another value.',
  'option.init_std': 'Initial spread',
  'option.init_std.help': 'How far from 0 the random weights lie before training.',
  'option.residual_init': 'Initialisation of layer outputs',
  'option.residual_init.help':
    'How the last matrix of each layer starts: like all others, at zero (the layer does nothing at first), or smaller the more layers there are.',
  'choice.residual_init.normal': 'Like the others',
  'choice.residual_init.zero': 'At zero',
  'choice.residual_init.scaled': 'Scaled down',
  'option.batch': 'Batch',
  'option.batch.help':
    'How many sequences each step learns from. Larger batches give steadier, slower steps.',
  'option.left_out': 'Left-out parts',
  'option.steps': 'Steps',
  'option.steps.help': 'How many times the weights are improved. You can add more at the end.',
  'option.lr': 'Learning rate',
  'option.lr.help':
    'How far each step moves the weights. Too large and the loss jumps up; too small and it hardly falls.',
  'option.schedule': 'Schedule',
  'option.schedule.help':
    'How the learning rate changes during training: not at all, falling along a cosine, or rising first and then falling.',
  'choice.schedule.constant': 'Constant',
  'choice.schedule.cosine': 'Cosine',
  'choice.schedule.warmup_cosine': 'Warm-up, then cosine',
  'option.warmup': 'Warm-up steps',
  'option.warmup.help':
    'Steps over which the learning rate rises from 0, with the warm-up schedule.',
  'option.min_lr': 'Final learning rate (share of the maximum)',
  'option.min_lr.help':
    'Where a falling learning rate ends, as a share of its highest value. 0.1 ends at a tenth.',
  'option.beta1': 'Adam β₁',
  'option.beta1.help': 'How long the optimiser remembers past directions.',
  'option.beta2': 'Adam β₂',
  'option.beta2.help': 'How long the optimiser remembers how large past gradients were.',
  'option.epsilon': 'Adam ε',
  'option.epsilon.help': 'A tiny number that keeps the optimiser from dividing by zero.',
  'option.weight_decay': 'Weight decay',
  'option.weight_decay.help': 'How strongly every step pulls the weights towards 0.',
  'option.decay': 'Decay applies to',
  'option.decay.help': 'Whether weight decay pulls on all parameters or only on matrices.',
  'choice.decay.all': 'All parameters',
  'choice.decay.matrices': 'Matrices only',
  'option.clip': 'Clip gradients at',
  'option.clip.help':
    'If all gradients together are longer than this, they are shortened to it. 0 never shortens.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly settings: typeof settings;
  }
}
