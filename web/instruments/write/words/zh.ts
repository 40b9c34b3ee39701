import type { Translation } from '../../../i18n/index.ts';
import type { writer as en } from './en.ts';

export const writer: Translation<typeof en> = {
  'write.lead':
    '生成文字就是先猜、再掷骰子，周而复始。在这里骰子归你：看看接下来可能是什么，抽一个词元，或者自己挑一个。',
  'write.next': '下一个词元',
  'write.play': '连续写',
  'write.pause': '暂停',
  'write.undo': '退一步',
  'write.again': '从头开始',
  'write.empty': '模型一准备好就可以开始写。',
  'write.text': '到目前为止的文字',
  'write.text.none': '还没有内容',
  'write.hint': '不显眼的词元在意料之中，显眼的出乎意料；带虚线框的是你自己选的。',
  'write.pending': '目前只是一个字符的一部分：{name}。',
  'write.drawn': '抽到：{name}。模型给它的概率是 {probability}。',
  'write.drawn.other':
    '抽到：{name}。模型给它的概率是 {probability}，经温度、top-k 和 top-p 调整后是 {adjusted}。',
  'write.undone': '已退回：{name}。',
  'write.undone.again': '再抽一次，骰子的结果还会一样：可以在下面另选一个词元，或者换个温度。',
  'write.refilled': '上下文满了：从这里起，模型只看得见这段文字的后一半。',
  'write.unseen': '琥珀色竖线之前的文字已不在上下文里，模型看不见了。',
  'write.taken': '你选的是{name}。模型给它的概率是 {probability}。',
  'write.ended':
    '模型在这里结束了这段文字（■）：“{=write.undo}”去掉这个结尾，“{=write.again}”重写整段。',
  'write.full': '文字已经和上下文一样长，到此为止。',
  'write.limit': '文字到此为止：一段文字最多 65,536 字节。',
  'write.reread': '这期间模型又训练了：它已用第 {step} 步的权重把上下文重读了一遍。',
  'write.coming': '接下来可能是',
  'write.coming.caption':
    '第 {step} 步时最可能的词元。点其中一个，就由你来选它。条形画满表示 {full}%。',
  'write.coming.beyond': '带箭头的条形比满格更长。',
  'write.coming.unsure':
    '熵 {before} 纳特，经温度、top-k 和 top-p 调整后 {after}：{doubt}；能被抽到的有 {drawable} 个。',
  'write.coming.tiny': '有 {count} 个太不可能，概率舍入后为 0，抽不到。',
  'write.coming.ended': '模型结束了这段文字。',
  'write.col.model': '模型给出',
  'write.col.dice': '抽中概率',
  'write.take': '选{name}',
  'write.cut.topK': '以下被 top-k = {k} 截去',
  'write.cut.topP': '以下被 top-p = {p} 截去',
  'write.cut.tiny': '以下概率小到舍入为 0',
  'write.cut.both': '以下被 top-k = {k} 和 top-p = {p} 截去',
  'write.cut.greedy': '以下不会被抽到：温度为 0 时总是取最可能的',
  'write.rest': '其余 {count} 个',
  'write.dice': '骰子',
  'write.dice.wait':
    '抽一个 0 到 1 之间的数。各个词元按词表的顺序排在从 0 到 1 的这条线上，概率多大就占多长，数落在谁的那一段，就写谁。',
  'write.dice.others': '斜线部分：其余概率更低的词元。',
  'write.dice.fell': '骰子掷出 {number}，落在{name}的那一段，从 {start} 到 {end}。',
  'write.dice.then':
    '这一掷用的是温度 {temperature}、top-k {k}、top-p {p}；现在的设置从下一个词元起生效。',
  'write.dice.taken': '没有掷骰子：{name}是你自己选的。',
  'write.dice.greedy': '没有掷骰子：温度为 0，取最可能的词元{name}。',
  'write.cache': 'KV 缓存：已算过的键和值',
  'write.cache.lead': '每个词元都会在每一层留下一个键和一个值，后面的词元直接查用，不必重算。',
  'write.cache.more': 'KV 缓存的原理',
  'write.cache.layer': '第 {layer} 层',
  'write.cache.keys': '键',
  'write.cache.values': '值',
  'write.cache.filled':
    '{capacity} 个位置已填 {rows} 个，共 {bytes}；{layers} 层中的每一层，每个词元有一个键和一个值，各 {channels} 个数。',
  'write.cache.new': '上一步新算的 {count} 个',
  'write.cache.old': '先前留下的',
  'write.cache.free': '空着的',
  'write.cache.refilled':
    '上下文满了。文字从后一半继续写：这 {count} 个词元从第 1 个位置起重读了一遍。',
  'write.cache.reread': '权重变了，所以全部重算了一遍。训练暂停时权重不变，缓存才省得下工夫。',
  'write.work': '上一步的乘加次数',
  'write.work.with': '用缓存',
  'write.work.without': '不用缓存',
  'write.work.saved':
    '这段文字到目前为止：{with} 次，不用缓存要 {without} 次；缓存省下了 {share} 的计算。',
  'write.table': '用表格看已写出的词元',
  'write.table.caption': '经过温度、top-k、top-p 之前和之后的概率',
  'write.col.number': '骰子',
};
