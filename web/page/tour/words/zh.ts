import type { Translation } from '../../../i18n/index.ts';
import type { tour as en } from './en.ts';

export const tour: Translation<typeof en> = {
  'tour.end': '结束导览',
  'tour.back': '上一步',
  'tour.next': '下一步',
  'tour.done': '完成',
  'tour.place': '{at} / {count}',
  'tour.start.title': '从这里开始',
  'tour.start':
    '现在模型什么都不懂：里面的数全是随机的。按“{=run.start}”，它就会一小块一小块地读文本，猜下一块是什么，从每个错误中学习。这些小块叫作词元：可以是字、字节，也可以是词的一部分。',
  'tour.start.wait': '按“{=run.start}”，也可以先四处看看。',
  'tour.run.title': '这次训练',
  'tour.run':
    '每一步，模型读一段文本，猜后面是什么，再从错误中学习。它一个一个猜的小块叫作词元：可以是字、字节，也可以是词的一部分。',
  'tour.run.running': '现在是第 {step} 步，共 {steps} 步；按“{=run.pause}”可以随时停下。',
  'tour.run.paused': '现在停在第 {step} 步，共 {steps} 步；按“{=run.continue}”就继续训练。',
  'tour.run.finished': '{steps} 步已全部走完；按“{=run.rewind}”回到起点。',
  'tour.run.diverged':
    '它在第 {step} 步中断了：步子迈得太大。先选小一些的学习率，再按“{=run.rewind}”回到起点。',
  'tour.loss.title': '损失：它错得有多离谱',
  'tour.loss':
    '每个点是一步：模型对真正出现的内容有多意外。{random} {unit} 处的虚线是在 {vocab} 个词元里随机猜测的损失（ln {vocab}：取对数，把可能性换算成意外的程度）。低于这条线的，都是学到的。',
  'tour.loss.bits':
    '每个点是一步：模型对真正出现的内容有多意外。{random} {unit} 处的虚线是在 {vocab} 个词元里随机猜测的损失：每个字符要回答这么多个是非题。低于这条线的，都是学到的。',
  'tour.loss.wait': '还没有降下来。训练开始后，看曲线怎样下降。',
  'tour.loss.come':
    '已经降下来了：损失 {loss} {unit}，下一个词元给模型的意外，相当于从 {choices} 个同样可能的词元里抽出一个。这个数就是困惑度。',
  'tour.samples.title': '它写出的文字',
  'tour.samples':
    '模型会不时自己写点东西。每次掷的骰子都一样，所以看到的变化全是学来的：先是乱码，再是搭配得上的字，然后是词句。',
  'tour.samples.wait': '训练开始后，会出现最初几行。',
  'tour.samples.come': '拿最早的一行和最新的一行比一比。',
  'tour.attention.title': '它在看哪里',
  'tour.attention':
    '为了猜下一个词元，模型会回头看。每个小方块是一个注意力头；一行对应一个词元，颜色醒目的地方就是它在看的前面的词元。紧贴在对角线下方的一条醒目斜线表示：在看紧挨着的前一个。',
  'tour.attention.wait': '起初它到处看得一样多，训练之后才看得出规律。',
  'tour.attention.come': '选一个头，再选图中的一个格子：图的上方会写出它的权重。',
  'tour.memory.title': '是学会了，还是背下来了？',
  'tour.memory.validation':
    '琥珀色的虚线是验证损失，也就是在留出文本上的损失。两条曲线都在降，说明模型在学规律；琥珀色的回升、绿色的还在降，就是在背文本了。',
  'tour.memory.none':
    '这次训练没有留出文本，分不清是学会了还是背下来了。留出一部分文本，就会多出一条琥珀色曲线：它回升而绿色的还在降，模型就是在背文本。',
  'tour.change.title': '只改一处',
  'tour.change':
    '在“{=settings.all}”里去掉一层，或者把通道数减半，再按“{=run.restart}”。种子没变，所以结果有什么不同，全是这处改动造成的。所有设置都记在网址里：分享出去，别人看到的也一样（你自己的文本除外，它不会离开这里）。',
  'tour.words.title': '带虚线的词都会自我介绍',
  'tour.words':
    '在这里或任何地方点一个：它会用平常的话说明意思，给出公式，并带你一直看到计算它的那行 C 代码。现在，试试你自己的文本吧。',
};
