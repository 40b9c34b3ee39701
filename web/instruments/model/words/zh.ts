import type { Translation } from '../../../i18n/index.ts';
import type { model as en } from './en.ts';

export const model: Translation<typeof en> = {
  'model.title': '打开或保存模型',
  'model.open': '打开模型…',
  'model.open.folder': '打开文件夹…',
  'model.none':
    '模型从随机的权重开始。也可以打开一个已经学过的：在这里保存过的，或 Hugging Face 的 GPT-2。',
  'model.which': '要哪些文件？',
  'model.which.files':
    '在这里保存的检查点或权重：一个 .safetensors 文件。GPT-2 的文件要一起选中或拖入：config.json、model.safetensors（或全部分片及其索引）、vocab.json 和 merges.txt，或者 tokenizer.json；也可以是原始形式：一个 JSON 和它的 .bin 文件。',
  'model.busy': '正在读取文件…',
  'model.facts': '{parameters} 个参数，词表有 {vocab} 个词元。',
  'model.facts.saved': '{parameters} 个参数，词表有 {vocab} 个词元，保存于第 {step} 步。',
  'model.purpose': '用它做什么',
  'model.resume': '继续它的训练',
  'model.train': '学习这篇文本',
  'model.generate': '只生成文字',
  'model.close': '新建模型',
  'model.save': '保存模型',
  'model.saved': '已在第 {step} 步保存：{name}',
  'model.save.own':
    '以后在这里再打开。检查点配上原来的文本，可以从停下的地方继续训练，一位不差。只存权重，文件更小，可用来生成文字，或学习别的文本。',
  'model.save.refused': '新模型的这些设置在这里改：',
  'model.save.checkpoint': '检查点',
  'model.save.weights': '权重',
  'model.save.shared':
    '在 Python 里用：把这些文件全部放进一个文件夹，transformers（Hugging Face）就能打开，前提是模型与 GPT-2 同构。字节和 BPE 的分词器会一起放进文件夹；transformers 没有字符分词器。如有不支持的设置，按下时会提示。',
};
