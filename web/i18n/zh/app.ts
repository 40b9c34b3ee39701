import type { Translation } from '../index.ts';
import type { app as en } from '../en/app.ts';

export const app: Translation<typeof en> = {
  'app.title': 'Glasshouse',
  'app.tagline': '玻璃房里种一个 GPT',
  'app.skip': '跳到训练',
  'app.lead':
    '一个小小的语言模型，就在这个标签页里学习你的文本。按“{=run.start}”，看损失下降、乱码变成词句、注意力渐渐成形。你粘贴的内容不会离开这个标签页。',
  'app.language': '语言',
  'app.theme': '配色',
  'app.theme.auto': '自动深浅色',
  'app.theme.light': '浅色',
  'app.theme.dark': '深色',
  'app.footer':
    '引擎用 C 语言从零写成，编译为 WebAssembly。同样的文本、设置和种子，在任何机器上得到的损失都完全一致，一位不差。',
  'app.locked': '本课已固定，只读。',
  'app.docs': '原理',
  'app.place.page': '此处不允许后台线程，训练与页面共用一个线程：仍可使用，只是没那么流畅。',
  'app.place.threads': '训练使用本机的 {threads} 个线程。',
  'app.place.thread': '训练使用本机的 1 个线程。',
  'closer.title': '看得更细',
  'list.separator': '、',
  'list.more': '{list}，以及另外 {count} 个',
  'token.bos': '开头',
  'token.bytes': '字节 {hex}',
  'token.space': '空格',
  'token.newline': '换行',
  'token.text': '“{text}”',
  'token.unseen': 'U+{code}',
  'token.unseen.0009': '制表符',
  'token.unseen.00A0': '不换行空格（U+{code}）',
  'token.unseen.00AD': '软连字符（U+{code}）',
  'token.unseen.200B': '零宽空格（U+{code}）',
  'token.unseen.200D': '零宽连接符（U+{code}）',
  'token.unseen.3000': '全角空格（U+{code}）',
  'token.unseen.FE0F': '彩色显示标记（U+{code}）',
  'token.unseen.FEFF': '字节顺序标记（U+{code}）',
};
