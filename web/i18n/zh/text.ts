import type { Translation } from '../index.ts';
import type { text as en } from '../en/text.ts';

export const text: Translation<typeof en> = {
  'text.title': '文本',
  'text.choose': '选择文本',
  'text.own': '自己的',
  'text.label': '要学习的文本',
  'text.placeholder': '在这里粘贴或输入要学习的文本，也可以把文本文件拖到页面任意位置。',
  'text.placeholder.touch': '在这里粘贴或输入要学习的文本，也可以打开文本文件。',
  'text.open': '打开文件…',
  'text.names': '英文名字',
  'text.moby': '《白鲸》（英文）',
  'text.tang': '唐人绝句',
  'text.about.names': '8,403 个英文名字，每行一个。',
  'text.about.moby': '赫尔曼·梅尔维尔《白鲸》英文原文，第 1 至 35 章。',
  'text.about.tang': '1,225 首唐代绝句，每行一首。',
  'text.loading': '正在加载…',
  'text.file': '{name}，{size}',
  'text.recoded': '文件是 {encoding} 编码，已按此读入，此后一律用 UTF-8。',
  'text.preview': '文本较大，这里只显示开头，也不能在此编辑；训练时会用到全文。',
  'text.documents': '每行是一篇独立的文档，共 {count} 篇，逐篇学习；换行不算词元。',
  'text.stream': '全文（含换行）是一段连续的文本，训练时从中随机截取片段。',
  'text.cut':
    '其中 {documents} 行比上下文（模型一次能看到的长度）还长：行尾共 {tokens} 个词元，以及这些行在哪里结束，永远学不到。加长上下文，或把文本当作一段连续的文本来读，就能用上它们。',
  'text.cut.end':
    '其中 {documents} 行正好占满上下文，模型学不到它们在哪里结束。加长上下文就能看到行尾。',
  'text.invalid': '有 {count} 个字节不是有效的 UTF-8。它们会原样保留，作为单独的词元来学习。',
  'text.unheld':
    '验证集是空的，所以不会有验证损失：这个比例只合 {tokens} 个词元，不够填满长度为 {context} 的上下文。请调大比例、缩短上下文或加长文本。',
  'text.unheld.lines':
    '验证集是空的，所以不会有验证损失：共 {lines} 行，按 {share} 的比例留出还不到一行。请把比例至少调到 {least}，或增加行数。',
  'text.unheld.line': '验证集是空的，所以不会有验证损失：只有一行，要用来学习。请增加行数。',
  'text.unkept': '浏览器无法保留这篇文本：刷新页面后，请重新打开或粘贴。',
  'text.replaced': '这是所打开的训练的文本。',
  'text.aside': '你自己的另一篇文本还留着。',
  'text.replaced.back': '换回刚才的文本',
  'text.brought': '预设已换成适合这篇文本的 {preset}。',
  'text.brought.keep': '仍用 {preset}',
  'text.brought.back': '预设已换回这篇文本原来用的 {preset}。',
  'text.brought.not': '设置保持你在另一篇文本那里改过的样子；这篇文本原来用的是预设 {preset}。',
  'text.brought.stays': '设置仍是你改过的：{list}。',
  'text.suggest': '这篇文本更适合预设 {preset}。',
  'text.suggest.use': '改用 {preset}',
};
