/** 五幅图讲清模型怎样工作：最多 350 字。 */
import type { Translation } from '../../../i18n/index.ts';
import type { story as english } from './en.ts';

export const story: Translation<typeof english> = {
  'story.lead': '语言模型怎样工作？看你自己这次训练的五幅图。',
  'story.numbers': '文字变成编号',
  'story.numbers.text':
    '文本先切成词元：一个个字，或者词的片段。在模型眼里，每个词元只是一个编号。',
  'story.look': '回头看',
  'story.look.text': '要猜下一个词元，它先掂量前面的每一个：颜色越浓，分量越重。',
  'story.look.cell': '{from}把 {share} 的注意力给了{to}。',
  'story.guess': '猜',
  'story.guess.text':
    '每个词元都得到一个概率：下一个就是它的可能性。没训练过的模型什么也不懂，概率都差不多。',
  'story.learn': '学',
  'story.learn.text':
    '每一步都拿猜测和你的文本对照，把全部 {count} 个权重各调一点，让真正出现的词元更有可能。',
  'story.write': '写',
  'story.write.text':
    '写字靠掷骰子：概率大的常抽中，概率小的很少抽中。抽到的接在后面，再猜下一个。',
  'story.after': '{text}之后，第 {step} 步',
  'story.token': '下一个词元',
  'story.chance': '概率',
  'story.real': '实际出现',
  'story.wait': '按“{=run.start}”，就能看到这幅图。',
  'story.docs': '带公式的完整讲解',
};
