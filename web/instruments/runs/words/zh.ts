import type { Translation } from '../../../i18n/index.ts';
import type { runs as en } from './en.ts';

export const runs: Translation<typeof en> = {
  'runs.lead':
    '训练记录保存在这台设备的浏览器里，不会发往任何地方。每条记录都有模型、文本、曲线和写出的文字，可以继续训练，一位不差。最新的 {count} 条会自动保留；起了名字的会一直留着，直到你删除。你打开过的文本在最后一次使用后保留三天，刷新页面后还在。',
  'runs.empty': '还没有记录。训练途中和暂停时会自动保存。',
  'runs.denied':
    '这个浏览器不为本页保存任何内容（某些隐私窗口和嵌入框架就是这样）。其他功能一切照常；要留住一次训练，请在“{=model.title}”里保存检查点。',
  'runs.unfetched': '本页负责保存训练的部分没能加载。请检查网络，页面会自动重试。',
  'runs.caption': '已保存的训练',
  'runs.col.run': '训练',
  'runs.col.step': '步',
  'runs.col.loss': '损失（{unit}）',
  'runs.col.loss.usual': '损失（平常的平滑，{unit}）',
  'runs.col.saved': '保存时间',
  'runs.col.size': '大小',
  'runs.col.actions': '操作',
  'runs.loss': '{loss} {unit}',
  'runs.of': '{step} / {steps}',
  'runs.about': '{text}，{preset}',
  'runs.here': '当前标签页',
  'runs.elsewhere': '正在另一个标签页中',
  'runs.open': '打开',
  'runs.rename': '改名',
  'runs.download': '下载',
  'runs.download.form': '下载训练',
  'runs.download.text': '连同文本（{size}）',
  'runs.download.help':
    '一个文件，含权重、优化器、曲线和写出的文字，在任何浏览器的本页里都能打开。不带文本时，要在那边另外打开这篇文本才能继续训练。',
  'runs.file.open': '打开训练文件…',
  'runs.file.current': '下载这个标签页的训练',
  'runs.delete': '删除',
  'runs.on': '{action}：{name}',
  'runs.name': '这次训练的名字',
  'runs.name.save': '保存名字',
  'runs.name.cancel': '取消',
  'runs.deleted': '已删除：{name}。',
  'runs.undo': '撤销',
  'runs.delete.elsewhere':
    '它在另一个标签页中打开着。请在那里删除，或关闭那个标签页后再从这里删除。',
  'runs.past': '回看用的快照占 {used}；空间不够时最先清掉。',
  'runs.use': '本页存下的全部内容占 {used}，浏览器约允许 {quota}。',
  'runs.persisted': '浏览器不会自行清除它们。',
  'runs.persist': '请浏览器不要清除它们',
  'runs.cost': '上次保存让训练停了 {milliseconds} 毫秒。',
  'runs.opened': '已打开，在第 {step} 步。',
  'error.storage-room':
    '浏览器空间已满，为保存这次训练，删掉了最旧的 {0} 条没有名字的训练记录。起了名字的记录不会被删。',
  'error.run-file-size': '训练文件最大 {1}，这个有 {0}。请改在“{=model.title}”里把模型存为检查点。',
  'error.run-file-kind':
    '{name} 不是训练文件。请选择在这里用“{=runs.download}”保存的文件，文件名以 .glasshouse 结尾。要打开文本，请用“{=text.open}”。',
  'error.run-file-model': '{name} 只是模型，没有训练记录。请用“{=model.open}”打开。',
  'error.run-file-newer':
    '这个文件出自更新版本的 Glasshouse（格式 {0}），本页只能读到格式 {1}。请刷新页面后再打开。',
  'error.run-file-short': '文件应有 {1} 字节，却只有 {0} 字节。请重新复制或下载。',
  'error.run-file-damaged': '文件已损坏（“{name}”部分），没有打开。请重新复制或下载。',
  'error.run-text':
    '这次训练的文本（{0}）不在文件里。请打开或粘贴那篇文本，再重新打开这次训练。在此之前，模型只能生成文字。',
  'runs.slowed':
    '页面在后台或设备休眠期间，浏览器放慢了训练：{time} 里只走了 {done} 步，原本约 {expected} 步。要全速训练，请让本页保持在前台。',
  'runs.again': '{title}，第 {number} 次',
};
