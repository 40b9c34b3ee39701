import type { Translation } from '../../../i18n/index.ts';
import type { notice as en } from './en.ts';

export const notice: Translation<typeof en> = {
  'runs.opening': '正在打开…',
  'runs.own': '自己的文本',
  'runs.a': '“{text}”的训练',
  'runs.the': '训练“{name}”',
  'runs.value': '{option}：{value}',
  'runs.with': '{text}（{differs}）',
  'runs.more': '{list}，另有 {count} 项不同',
  'runs.offer.open': '{run}停在第 {step} 步（共 {steps} 步，{when}）。',
  'runs.offer.done': '{run}已完成全部 {steps} 步（{when}）。',
  'runs.goOn': '继续训练',
  'runs.offer.show': '打开',
  'runs.recognised':
    '{run}已保存在“{=runs.title}”里，停在同一步，而且记录更完整。从这个文件继续，会另存为一次训练。',
  'runs.recognised.open': '打开已保存的训练',
  'runs.dismiss': '不用了',
  'runs.download.go': '下载训练',
  'runs.lost':
    '{run}停在第 {step} 步，已被新的训练替换，而且没能存进浏览器。请现在下载：关掉这条提示或本页，它就没有了。',
  'runs.lost.now': '现在这次训练也没有保存。',
  'runs.download.now': '下载现在这次训练',
  'runs.understood': '知道了',
  'runs.good': '第 {step} 步时训练还正常。{why}',
  'runs.good.rate': '学习率 {rate} 很可能太大了：预设从 {usual} 开始。',
  'runs.good.clip': '梯度没有裁剪，而最后一次的范数是 {norm}：也许只因一批不巧的文本。',
  'runs.good.unknown': '减小学习率通常有用。',
  'runs.back': '回到第 {step} 步，学习率 {rate}',
  'error.storage-denied':
    '这个浏览器不为本页保存任何内容，关闭标签页或换成另一次训练后，这次训练就没有了。其他功能一切照常；要留住它，请保存检查点。',
  'error.storage-fetch':
    '本页负责保存训练的部分没能加载，这次训练暂时没有保存。请检查网络，页面会自动重试。要稳妥，可以先保存检查点。',
  'error.storage-full':
    '浏览器没有更多空间存放训练记录，这次训练不再自动保存。请在“{=runs.title}”里删除一些，或下载这次训练。',
  'error.storage-full.dropped':
    '浏览器没有更多空间存放训练记录。已删掉最旧的 {0} 条没有名字的记录，这次训练还是没能保存。请在“{=runs.title}”里再删除一些，或下载这次训练。',
  'error.storage-large':
    '这个模型的检查点约有 {0}，太大，不会在训练时自动保存。请在“{=model.title}”里自行保存。',
  'error.storage': '这次训练没能存进浏览器。要留住它，请下载。',
  'error.storage-change': '浏览器没能修改已保存的训练列表。请刷新页面，然后再试一次。',
  'error.run-damaged':
    '这次保存的训练已损坏，无法打开；在你删除之前，它会留在列表里。如果下载过它的文件，请打开那个文件。',
  'error.run-gone': '这次训练已经没有保存了。',
};
