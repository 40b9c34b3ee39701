import type { Translation } from '../../../i18n/index.ts';
import type { runs as en } from './en.ts';

export const runs: Translation<typeof en> = {
  'runs.lead':
    '训练记录保存在这台设备的浏览器里，不会发往任何地方。每条记录都有模型、文本、曲线和样本，可以接着练，一位不差。最新的 {count} 条会自动保留；起了名字的会一直留着，直到你删除。你打开过的文本在最后一次使用后保留三天，刷新页面后还在。',
  'runs.empty': '还没有记录。训练途中和暂停时会自动保存。',
  'runs.denied':
    '这个浏览器不为本页保存任何内容（某些隐私窗口和嵌入框架就是这样）。其他功能一切照常；要留住一次训练，请在“{=model.title}”里保存检查点。',
  'runs.unfetched':
    '本页负责保存训练的部分没能加载。请检查网络，页面会自动重试，成功后这里会列出已保存的训练。',
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
  'runs.delete': '删除',
  'runs.on': '{action}：{name}',
  'runs.name': '这次训练的名字',
  'runs.name.save': '保存名字',
  'runs.name.cancel': '取消',
  'runs.deleted': '已删除：{name}。',
  'runs.undo': '撤销',
  'runs.delete.elsewhere':
    '它在另一个标签页中打开着。请在那里删除，或关闭那个标签页后再从这里删除。',
  'runs.use': '本页存下的全部内容占 {used}，浏览器约允许 {quota}。',
  'runs.persisted': '浏览器不会自行清除它们。',
  'runs.persist': '请浏览器不要清除它们',
  'runs.cost': '上次保存让训练停了 {milliseconds} 毫秒。',
  'runs.opened': '已打开，在第 {step} 步。',
  'runs.again': '{title}，第 {number} 次',
};
