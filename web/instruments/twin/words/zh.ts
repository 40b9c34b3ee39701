import type { Translation } from '../../../i18n/index.ts';
import type { twin as en } from './en.ts';

export const twin: Translation<typeof en> = {
  'twin.lead':
    '只改一项设置，用同一个种子再训练一次。现在的曲线会留在新曲线旁边，所以两者的差别只可能来自这项改动。',
  'twin.finding': '这次训练的损失降到了 {loss}。换一项设置，会不会更好？',
  'twin.caution': '注意：{run}有 {count} 项设置（{list}）是在训练途中改的。',
  'twin.caution.chance': '双胞胎从随机权重开始，不用打开的模型（{name}）。',
  'twin.caution.this': '这次训练',
  'twin.caution.other': '第 {number} 次训练',
  'twin.caution.why': '双胞胎从第一步起就用新值，曲线的差别也可能来自这里。',
  'twin.caution.waits': '双胞胎不采用已改动但还没用上的设置，并会把它们改回去。',
  'twin.text': '文本已经换了。请先用它重新训练一次：双胞胎学的是同一篇文本。',
  'twin.verdict.texts':
    '这几次训练学的不是同一篇文本，可能其中一篇更容易：从损失看不出哪次训练更好。',
  'twin.option': '把',
  'twin.value': '改为',
  'twin.now': '现在是 {value}',
  'twin.go': '训练双胞胎',
  'twin.busy': '正在训练……',
  'twin.table': '几次训练的对比',
  'twin.caption': '第 {step} 步时的各次训练（各次都已到达的最后一步）',
  'twin.this': '这次训练',
  'twin.this.named': '这次训练 · {differs}',
  'twin.curves': '这几次训练前 {step} 步的损失',
  'twin.curves.dashed': '虚线：各次训练的验证损失，颜色与其训练损失相同。',
  'twin.run': '训练',
  'twin.loss': '平滑后的损失（纳特/词元）',
  'twin.loss.plain': '损失（纳特/词元）',
  'twin.bits': '每字符比特数',
  'twin.validation': '验证（{unit}）',
  'twin.validation.at': '{loss}（第 {step} 步）',
  'twin.sample': '写出的文字',
  'twin.still': '学习率为 0 时什么也学不到：权重会一直停在随机的初始值上。',
  'twin.alike': '{name}现在就是这个值：请换一个。',
  'twin.verdict.pair': '只比较这次和上一次训练：',
  'twin.verdict.validation':
    '到第 {step} 步，在留出文本上最好的是“{best}”：验证损失比“{other}”低 {gap} {unit}。',
  'twin.verdict.validation.alike': '到第 {step} 步，在留出文本上，“{best}”和“{other}”不相上下。',
  'twin.verdict.loss':
    '到第 {step} 步，在训练文本上最好的是“{best}”：损失比“{other}”低 {gap} {unit}。在新的文本上是否也更好，要有留出文本才知道。',
  'twin.verdict.loss.alike': '到第 {step} 步，在训练文本上，“{best}”和“{other}”不相上下。',
  'twin.verdict.bits':
    '到第 {step} 步，在训练文本上最好的是“{best}”：损失比“{other}”低 {gap} 比特/字符。两者的词元不同，不能按词元比较。',
  'twin.verdict.bits.alike':
    '到第 {step} 步，按字符算，“{best}”和“{other}”不相上下。两者的词元不同，不能按词元比较。',
  'twin.verdict.same':
    '到第 {step} 步为止，“{best}”和“{other}”的损失一位不差，写出的文字也一样：这是同一次训练做了两遍。',
  'twin.verdict.context':
    '注意：上下文的词元数相同，但词元越短，装下的文字就越少；放不下的行只学、只量开头，所以两个损失量的不完全是同一段文字。',
  'twin.verdict.chance': '差别这么小，可能只是碰巧：换一个种子再各训练一次，才好下结论。',
};
