/**
 * The entries that the documentation must have besides the ops on the tape: every stage from text
 * to sample, in the order of the data. tests/docs.test.ts compares the entries with this list and
 * with the files of the engine, so that a new file without an entry fails.
 */
export const STAGES = [
  // Text to tokens
  'utf8',
  'tokenizer_byte',
  'tokenizer_char',
  'pretokenizer',
  'bpe',
  'bpe_learn',
  // Tokens to batches
  'fit',
  'rng',
  'normal',
  'shuffle',
  'windows',
  'documents',
  // The model
  'parameters',
  'initial_weights',
  'block',
  'forward',
  // The tape and its memory
  'row_major',
  'tape',
  'backward',
  'grad_mode',
  'gradient_memory',
  'arena',
  'memory_plan',
  'gemm',
  'attention_blocks',
  'sharing_out',
  'thread_pool',
  'numeric',
  // Learning
  'training_step',
  'clipping',
  'adamw',
  'schedule',
  'validation',
  // Writing text, and looking inside
  'generation',
  'temperature',
  'top_k',
  'top_p',
  'greedy',
  'draw',
  'kv_cache',
  'refill',
  'probe',
  'pca',
  // Questions about the training text
  'text_index',
  'matching_statistics',
  'ngram',
  'left_out',
  'moment',
  // Files
  'checkpoint',
  'receipt',
  'safetensors',
  'half_floats',
  'gpt2_files',
  'doors',
  'foreign_files',
] as const;
