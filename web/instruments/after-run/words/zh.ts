import type { Translation } from '../../../i18n/index.ts';
import type { after as en } from './en.ts';

export const after: Translation<typeof en> = {
  'after.now.letters': '现在它的把握，相当于在 {choices} 个字里选一个。',
  'after.now.tokens': '现在它的把握，相当于在 {choices} 个词元里选一个。',
  'after.end.letters': '{what}：它的把握，相当于在 {choices} 个字里选一个。',
  'after.end.tokens': '{what}：它的把握，相当于在 {choices} 个词元里选一个。',
  'after.learned.names': '它学会了编这类名字',
  'after.learned.poems': '它学会了写这类诗',
  'after.learned.lines': '它学会了写这样的行',
  'after.learned.text': '它学会了照这篇文本的样子写',
  'after.learned.little': '它学到的还很少',
  'after.sure': '它几乎总能确定接下来是什么。',
  'after.heart.probably': '它大概已把这篇文本背下来了。',
  'after.heart': '它在背这篇文本：从第 {step} 步起，在留出文本上越来越差。',
  'after.pairs': '从第 {step} 步起，它胜过了统计成对的出现次数。',
  'after.why': '为什么？',
  'after.steps': '最有用的是再多训练一阵。',
  'after.nothing.short': '试过的改动都不会更好。',
  'after.trying': '正在试哪种办法最有用…',
  'after.nothing':
    '再怎么做也不会更好：这篇文本的顺序是随机的。除非碰巧，没有模型的损失能低于 {least}，这个模型已到 {end}。',
  'after.nothing.trial':
    '短暂试过，没有找到更好的办法：多训练 {steps} 步（验证损失从 {before} 到 {after}）和换更大的模型都不行。',
  'after.nothing.trial.alone':
    '短暂试过，没有找到更好的办法：多训练 {steps} 步也不行（验证损失从 {before} 到 {after}）。',
  'after.rate':
    '最有用的是降低学习率：训练损失在第 {step} 步前后是 {before}，后来上升，最后是 {after}。',
  'after.heldOut': '没有留出文本。留出十分之一，下一次训练就能看出怎样做最有用。',
  'after.text.heart':
    '最有用的是增加文本：验证损失在第 {step} 步最低（{loss}，现在是 {end}），从那以后模型就在背文本。',
  'after.text.read': '最有用的是增加文本：模型已把这篇文本读了 {readings} 遍，背下来了。',
  'after.text.do': '添加文本',
  'after.steps.trial':
    '最有用的是再多训练一阵：试着加了 {steps} 步，验证损失从 {before} 降到了 {after}。',
  'after.steps.falling':
    '最有用的是再多训练一阵：训练损失到最后还在下降，在最后五分之一里从 {before} 降到 {after}。',
  'after.steps.falling.heldOut':
    '最有用的是再多训练一阵：验证损失到最后还在下降，在最后五分之一里从 {before} 降到 {after}。',
  'after.steps.unread': '最有用的是再多训练一阵：模型还没有把全文读过一遍。',
  'after.steps.time': '再训练 {count} 步，在这里大约要 {time}。',
  'after.model.trial':
    '最有用的是换更大的模型：训练 {steps} 步后，它的验证损失是 {loss}，而这个模型当时是 {own}。',
  'after.model.time': '整次训练在这里大约要 {time}。',
  'after.model.do': '训练更大的模型',
  'after.seconds': '{count} 秒',
  'after.minutes': '{count} 分钟',
  'after.hours': '{count} 小时',
};
