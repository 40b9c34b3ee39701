/** 比较一次训练的两步。 */
import type { Translation } from '../../../i18n/index.ts';
import type { moments as english } from './en.ts';

export const moments: Translation<typeof english> = {
  'moments.lead':
    '向同一次训练的两步 A 和 B 提同样的问题。A 在这里选，B 就是页面正在显示的那一步。',
  'moments.finding': '{name}：第 {a} 步时它只给 {before}，第 {b} 步时给 {after}。',
  'moments.finding.show': '看看这些词元',
  'moments.a': 'A：第几步',
  'moments.b': 'B：第 {step} 步，页面正在显示',
  'moments.b.newest': 'B：第 {step} 步，最新的',
  'moments.range': 'A 必须是这次训练里的一步：{first} 到 {last} 之间的整数。',
  'moments.none': '先训练：之后这次训练的任意两步都可以比较。',
  'moments.writes': '这个模型打开后只用来写。它在这里没有训练过程，也就没有步可以比较。',
  'moments.large': '这个模型的一份快照要占 {size}，存几份来比较就太多了。',
  'moments.way': '正在重新计算到第 {step} 步：{count} 步中已完成 {done} 步。',
  'moments.mark': 'A',
  'moments.change': 'B − A',
  'moments.texts': '从乱码到词句',
  'moments.texts.lead':
    '每一步都用同样的提示词和同样的随机种子，两者都在“{=ask.title}”里设定。按一下某一步，就能看到它。',
  'moments.row': '第 {step} 步',
  'moments.blank': '什么也没写',
  'moments.losses': '每个词元的损失',
  'moments.losses.mean': 'A 时平均每个词元 {before} 纳特，B 时 {after} 纳特。',
  'moments.losses.key':
    'B 减 A，单位是纳特。绿色：模型在 B 比在 A 意外得少；紫色：意外得多。这段文字在“{=attention.title}”里设定。',
  'moments.losses.token': '词元',
  'moments.losses.table': '用表格看 A 和 B 的损失',
  'moments.attention': '注意力：哪里变了',
  'moments.attention.most':
    '变化最大的是{from}（第 {row} 个词元）看{to}（第 {column} 个词元）：A 时 {before}，B 时 {after}。',
  'moments.attention.same': '没有变：这个头在 A 和 B 看的地方一样。',
  'moments.attention.cell':
    '{from}（第 {row} 个词元）看{to}（第 {column} 个词元）：A 时 {before}，B 时 {after}。',
  'moments.attention.less': 'B 少 {share}（按一行算）',
  'moments.attention.more': '多 {share}',
  'moments.attention.to': '看谁',
  'moments.attention.table': '用表格看最大的变化',
};
