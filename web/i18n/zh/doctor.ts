import type { Translation } from '../index.ts';
import type { doctor as en } from '../en/doctor.ts';

export const doctor: Translation<typeof en> = {
  'doctor.title': '检查文本',
  'doctor.busy': '正在检查文本…',
  'doctor.fine': '没有要处理的。',
  'doctor.count': '值得看看：{count} 处。',
  'doctor.partly': '文本很长，只检查了前 {count} 个字符。',
  'doctor.mended': '已完成：{what}。',
  'doctor.mended.one': '“{what}”',
  'doctor.undo': '撤销',
  'doctor.undo.all': '全部撤销',
  'doctor.size': '共 {characters} 个字符，{lines} 行，{distinct} 种不同的字符。',
  'doctor.ratio': '每个参数对应 {ratio} 个词元的文本；这次训练会把全文读 {readings} 遍。',
  'doctor.ratio.few':
    '每个参数只对应 {ratio} 个词元的文本，这次训练却要把全文读 {readings} 遍：模型会把它背下来。加长文本、减少步数或缩小模型，才能让它学到规律。',
  'doctor.expect':
    '预计：第一步的损失约为 {loss} 纳特 / 词元（在 {vocab} 个词元里瞎猜），占用内存 {memory}，全程大约 {time}。',
  'doctor.measured': '时间按这台机器上测得的速度估算。',
  'doctor.guessed': '时间只是粗略的猜测，等在这台机器上测过几步才会准。',
  'doctor.rare':
    '有 {count} 个字符只出现一两次，少得学不会，却各占词表的一个位置：{list}。文本越长，这样的字符越少；用字节作词元，就不必给它们留位置。',
  'doctor.rare.one': '{character}（{count}）',
  'doctor.rare.plain': '替换会这样写：{list}。',
  'doctor.rare.plain.one': '{character} 写成 {plain}',
  'doctor.rare.dropped': '替换会去掉 {count} 个没有普通写法的字符：{list}。',
  'doctor.rare.kept': '有 {count} 个字母、汉字、数字或标点会保留：去掉它们，词句就不完整了。',
  'doctor.duplicates': '有 {count} 行与前面的重复，学到的次数会比别的行多。',
  'doctor.repeats': '有 {count} 个长行与前面的重复，学到的次数会比其他内容多。',
  'doctor.leak': '留出作验证的部分里，有 {count} 行在训练部分里也有：验证损失会显得比实际好。',
  'doctor.leak.likely':
    '留出作验证的行里，大约有 {count} 行在训练部分里也有：验证损失会显得比实际好。',
  'doctor.garbled':
    '有 {count} 个字符成了乱码，例如 {garbled} 本该是 {meant}。文本原是 UTF-8，却被某个程序当成旧的编码读了。',
  'doctor.lost':
    '有 {count} 个字符在来到这里之前就丢失了，原处只剩 {sign}。它们无法找回；换一份完好的文本，也许还有。',
  'doctor.space':
    '有 {count} 处制表符、特殊或看不见的空白、行首或行尾的空格、连续空格，或多余的空行。模型会把它们也学进去。',
  'doctor.ends': '混用了两种换行符：一种 {other} 处，另一种 {lines} 处。',
  'doctor.markup': '有 {count} 处标签或实体，像是从网页上带下来的。',
  'doctor.long': '有 {count} 行远比其他行长；最长的有 {longest} 个字符。',
  'doctor.single': '有 {count} 行只有一个字符。',
  'doctor.cut': '有 {count} 行比上下文长，行尾永远学不到。',
  'doctor.short': '文本只有 {tokens} 个词元，装不满这么长的上下文。',
  'doctor.shape.list': '这篇文本由短行组成。逐行读，模型能学到一行怎样开头、怎样结尾。',
  'doctor.shape.prose': '这篇文本是长行的散文。当作一条长流来读，就不会截掉任何内容。',
  'doctor.fix.rare': '替换它们',
  'doctor.fix.bytes': '改用字节作词元',
  'doctor.fix.duplicates': '去掉重复行',
  'doctor.fix.repeats': '{=doctor.fix.duplicates}',
  'doctor.fix.garbled': '还原乱码',
  'doctor.fix.space': '整理空白',
  'doctor.fix.markup': '去掉它们',
  'doctor.fix.context': '上下文改为 {context}',
  'doctor.fix.hold': '留出十分之一来观察',
};
