import type { Translation } from '../index.ts';
import type { loss as en } from '../en/loss.ts';

export const loss: Translation<typeof en> = {
  'loss.title': '损失',
  'loss.train': '每步训练损失',
  'loss.smoothed': '平滑后',
  'loss.validation': '验证',
  'loss.random': '随机猜测 ln V',
  'loss.axis.steps': '步',
  'loss.axis.loss': '纳特 / 词元',
  'loss.empty': '曲线从虚线开始，随着模型学习而下降。',
  'loss.summary.before':
    '没有训练过的模型只会乱猜，损失约为 {random}。低于这条线，才算开始学到东西。',
  'loss.summary': '经过 {step} 步，损失从 {first} 降到 {smoothed}；随机猜测是 {random}。',
  'loss.summary.choices': '现在模型的犹豫程度，相当于在 {choices} 个同样可能的词元里选一个。',
  'loss.summary.worse': '这比瞎猜还差。',
  'loss.summary.validation': '第 {step} 步时，它在从没见过的文本上的损失是 {loss}。',
  'loss.point': '第 {step} 步：损失 {loss}，平滑后 {smoothed}。',
  'loss.table': '用表格看损失',
  'loss.table.caption': '分段平均损失',
  'loss.first': '第 1 步的损失，全部数位（在任何机器上都相同）：',
  'loss.col.steps': '步',
  'loss.col.mean': '平均',
  'loss.col.low': '最低',
  'loss.col.high': '最高',
};
