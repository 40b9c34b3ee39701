import type { Translation } from '../../../../i18n/index.ts';
import type { textCheck as en } from './en.ts';

export const textCheck: Translation<typeof en> = {
  'text-check.title': '检查文本',
  'text-check.busy': '正在检查文本…',
  'text-check.fine': '没有要处理的。',
  'text-check.count': '值得看看：{count} 处。',
  'text-check.partly': '只检查了前 {count} 个字符。',
  'text-check.past': '随之解决：',
  'text-check.undo': '撤销',
  'text-check.undo.one': '撤销“{what}”',
  'text-check.example': '“{before}” → “{after}”',
  'text-check.example.gone': '去掉“{before}”',
  'text-check.lost': '有 {count} 个字符在读取文件时丢失了。请换一种编码，或者重新取得这篇文本。',
  'text-check.html':
    '这是网页的源代码，有 {count} 个标签，模型会学着写标签。只想学文字的话，请从浏览器显示的页面上复制。',
  'text-check.hidden': '有 {count} 个看不见的字符，模型会学着把它们也写出来。',
  'text-check.pieces':
    '有 {count} 个字母拆成了几部分，例如字母和重音符号，模型还得学会哪些部分属于一体。',
  'text-check.ligatures':
    '有 {count} 个连字，把几个字母印成了一个符号，例如用 ﬁ 代替 fi。模型会把它们当成另外的字母。',
  'text-check.stamps': '有 {count} 条消息带着日期或时间，模型会把力气花在写日期上。名字会保留。',
  'text-check.pages': '行间有 {count} 个页码，模型会学着在句子中间写页码。',
  'text-check.hyphens': '有 {count} 个词在行末被连字符断开，模型会学着把词断开。',
  'text-check.breaks':
    '有 {count} 行以连字符结尾。只有文本能证明连字符不属于这个词时，才会把词接上。',
  'text-check.duplicates': '有 {count} 行与前面的重复，会比别的行多学几遍。',
  'text-check.repeats': '有 {count} 行长文字与前面的重复，会比其他内容多学几遍。',
  'text-check.leak': '留出文本里大约有 {count} 行在训练文本里也有：验证损失会显得比实际好。',
  'text-check.fix.hidden': '去掉看不见的字符',
  'text-check.fix.pieces': '合成完整的字母',
  'text-check.fix.ligatures': '改成单独的字母',
  'text-check.fix.stamps': '去掉日期和时间',
  'text-check.fix.pages': '去掉页码',
  'text-check.fix.hyphens': '把断开的词接上',
  'text-check.fix.duplicates': '去掉重复行',
};
