import type { Translation } from '../index.ts';
import type { errors as en } from '../en/errors.ts';

export const errors: Translation<typeof en> = {
  'error.cancelled': '已取消。',
  'error.argument': '引擎收到了无法执行的请求。请刷新页面。',
  'error.memory':
    '这需要 {0} 内存，但最多只能用 {1}。请减少通道数或层数，减小批大小，或缩短上下文或文本。',
  'error.allocation': '浏览器没能给出 {0} 内存。请关闭其他标签页，或选小一些的模型。',
  'error.option': '没有名为 {name} 的选项。请检查拼写。',
  'error.range': '{name}现在是 {0}，必须在 {1} 到 {2} 之间。',
  'error.whole': '{name}现在是 {0}，必须是整数。',
  'error.number': '{name}必须是 {0} 到 {1} 之间的数。',
  'error.number.whole': '{name}必须是 {0} 到 {1} 之间的整数。',
  'error.heads': '{0} 个通道不能平均分给 {1} 个头。请选一个能整除通道数的头数。',
  'error.empty': '还没有文本。请粘贴一些文字、打开文件，或从上面选一篇。',
  'error.blank': '这篇文本只有空白和换行，没有可以学的内容。请加上文字，或选择上面的文本。',
  'error.text-unsent':
    '这个链接不含文本。请向对方要一个带有文本的链接，或在这里粘贴、打开文件，也可以选择上面的文本。',
  'error.model-gone': '打开的文件不会保存在这里：要继续，请重新打开{name}。',
  'error.text-gone': '刷新页面后，浏览器丢失了你的文本。请重新打开或粘贴，也可以选择上面的文本。',
  'error.short':
    '文本只有 {0} 个词元，而长度为 {1} 的上下文至少需要 {2} 个。请增加文本，或缩短上下文。',
  'error.character':
    '训练文本里没有{name}，所以模型没有对应的词元。请换用别的字符，或用含有它的文本训练。',
  'error.long': '一共 {0} 个词元，但只放得下 {1} 个。请缩短一些。',
  'error.diverged': '第 {0} 步时损失不再是一个数：步子迈得太大了。请倒回，并选小一些的学习率。',
  'error.fixed': '{name}在训练途中不能改。请用新的值重新开始。',
  'error.capacity': '结果有 {0} 字节，最多只能容纳 {1} 字节。请减少要求。',
  'error.state': '现在还办不到。请再试一次；还是不行，就刷新页面。',
  'error.vocabulary': '文本有 {0} 种不同字符，但最多只能容纳 {1} 种。请改用字节作为词元。',
  'error.preset': '没有名为 {name} 的预设。请检查拼写。',
  'error.text-size': '文本有 {0}，但最多只能用 {1}。请只用其中一部分。',
  'error.left-out-range':
    '“{name}”不是字节范围。请写成 812:840 的样子（起点:终点），从 0 数起，多个范围用逗号隔开。',
  'error.left-out-count': '最多只能剔除 {0} 处不相连的部分。请少选几处，或选相邻的部分。',
  'error.left-out-end': '无法剔除第 {0} 号字节：文本只有 {1} 字节。请在文本之内选择。',
  'error.left-out-all':
    '剔除的太多了：{1} 个可训练的位置只剩 {0} 个，至少要剩千分之一。请少剔除一些，或缩短上下文。',
  'error.file-size': '文件有 {0}，但这里最多能打开 {1}。请只用其中一部分。',
  'error.file-kind':
    '{name} 不是文本，而是{kind}。请打开文本文件，例如 .txt、.md 或 .csv。原来的文本没有变。',
  'error.file-kind-model':
    '{name} 不是文本，而是模型（{format}）。模型要用“{=model.open}”打开，文件格式是 .safetensors。原来的文本没有变。',
  'error.file-kind-document':
    '{name} 不是文本，而是{kind}。请用能打开它的程序另存为纯文本（.txt），再打开那个文件。原来的文本没有变。',
  'error.rtf':
    '这是 RTF 格式，文字之间夹着排版代码。请在原来的程序里另存为纯文本（.txt）再打开，或者只复制文字。',
  'kind.archive': '压缩包（{format}）',
  'kind.document': '文档（{format}）',
  'kind.picture': '图片（{format}）',
  'kind.sound': '音频（{format}）',
  'kind.film': '视频（{format}）',
  'kind.font': '字体（{format}）',
  'kind.database': '数据库（{format}）',
  'kind.program': '程序（{format}）',
  'kind.data': '数据（{format}）',
  'kind.bytes': '二进制数据',
  'error.several-files': '一次只能打开一篇文本：请从这 {0} 个文件里选一个。原来的文本没有变。',
  'error.receipt-file':
    '{name} 是一次训练的凭据，不是要学习的文本。要核对它，请把内容粘贴到“{=runs.title}”标签页里。原来的文本没有变。',
  'error.text-left': '{name} 没有打开，因为同时打开了一个模型。要学习这篇文本，请单独打开它。',
  'error.file-empty': '{name} 是空的。原来的文本没有变。',
  'error.bpe-json': '{name} 在第 {0} 字节处无法读取。它必须是一个由词元和编号组成的 JSON 对象。',
  'error.bpe-size': '{name} 超过了 {0} 条。请用小一些的词表。',
  'error.bpe-id': '{name} 里出现编号 {0}。编号必须是 0 到 {1} 的整数，每个只属于一个词元。',
  'error.bpe-token-length': '{name}：词元 {0} 的长度必须在 {1} 到 {2} 字节之间。',
  'error.bpe-token-twice': '词表里的词元 {0} 和 {1} 相同。请去掉一个。',
  'error.bpe-byte': '词表里没有单字节 {0} 的词元。请用完整的文件。',
  'error.bpe-merge': '合并规则第 {0} 行应是用一个空格隔开的两个词元。请重新获取文件。',
  'error.bpe-merge-unknown': '合并规则第 {0} 行：词表里没有词元{name}。请选配套的文件。',
  'error.bpe-merge-twice': '合并规则第 {0} 行重复了前面的一对。请去掉一个。',
  'error.file': '这不是所需类型的文件，或者文件已损坏。有问题的是：{name}。',
  'error.file-header': '这不是模型文件，或者文件开头已损坏。请重新获取，或另选一个。',
  'error.file-long': '文件的字节数比文件头说的多。请重新获取。',
  'error.tensor-bytes': '文件已损坏：张量 {name} 的字节数与它的形状不符。请重新获取。',
  'error.tensor-place': '文件已损坏：张量 {name} 与别的张量重叠，或者中间有空缺。请重新获取。',
  'error.tensor-twice': '文件已损坏：有两个张量都叫 {name}。请重新获取。',
  'error.tensor-tied': '张量 {name} 应与它所绑定的词元嵌入表相同，实际却不同。请重新获取文件。',
  'error.tensor-number':
    '张量 {name} 里有不是有限数的值：可能训练在保存前就已发散，也可能文件已损坏。请换一个文件。',
  'error.not-finite':
    '模型算出的数不是有限数，最早出现在第 {0} 个词元的 {name}：权重太大了。请换一个文件，或用更小的学习率重新开始。',
  'error.file-pointer':
    '这个文件只是 Git LFS 指向模型的指针。请用 git lfs pull 取得文件本身，或从模型的页面下载。',
  'error.file-web-page': '这是网页或服务器返回的错误信息，不是模型。请到模型的页面下载文件本身。',
  'error.file-pickle':
    '这是 PyTorch 文件（pickle），读取时可能执行代码，因此这里不打开。请先用 transformers 的 save_pretrained 存成 model.safetensors。',
  'error.file-zip':
    '这个 ZIP 压缩包里没有 PyTorch 检查点。请打开模型文件本身（.safetensors、.gguf、.pt 或 .bin）；如果它就在这个压缩包里，请先解压。',
  'error.truncated': '文件有 {0} 字节，而文件头说有 {1} 字节。请重新获取。',
  'error.tensor-missing': '文件里没有这个模型需要的张量 {name}。请换一个文件。',
  'error.tensor-extra': '文件里有这个模型没有的张量：{name}。请换一个文件。',
  'error.tensor-shape': '有张量的形状与这个模型不符：{name}。请换一个文件。',
  'error.tensor-type': '有张量的数值类型不能使用：{name}。请换一个文件。',
  'error.unsupported': '文件需要 {name}，目前不支持。请换一个文件。',
  'error.text-differs':
    '这不是这次训练的文本（{0} 字节）。请打开原来的文本继续，或用新文本训练这些权重。',
  'error.no-text': '这个模型打开时只用来生成文字。要训练，请在它的名字旁选“{=model.train}”。',
  'error.no-run': '文件里只有权重，没有可以继续的训练。请用新文本训练，或让它生成文字。',
  'error.vocabulary-file':
    '模型有 {0} 个词元，但文件没有列出它们。请把词表一起选上：vocab.json 和 merges.txt，或 tokenizer.json。',
  'error.config-file':
    '这里只有权重，没有模型的设置。请把同一文件夹里的 config.json 和分词器文件（vocab.json 和 merges.txt，或 tokenizer.json）一起选上。',
  'error.vocabulary-size': '模型有 {0} 个词元，而词表有 {1} 个。请选配套的文件。',
  'error.export':
    'transformers 里的 GPT-2 不支持：{name}。请选 ONNX，它支持所有模型；或者用预设 gpt2 训练一个新模型。',
  'error.origin': '这次训练的初始权重来自文件或另一次训练。要重新开始，请打开那个文件或那次训练。',
  'error.changes': '一次训练最多记录 {0} 次改动。请按想要的 {name} 重新开始训练。',
  'error.choice': '这不是该选项的取值：{name}。',
  'error.not-a-model': '{name} 不是模型。要学习的文本请用“{=text.open}”打开。',
  'error.tokenizer-part':
    '{name} 是分词器的一部分。请把它和同一文件夹里的权重（model.safetensors）、config.json 以及其余分词器文件一起选上。原来的文本没有变。',
  'error.meta-file':
    '{name} 是 nanoGPT 模型的字符表，这里不读。请把 ckpt.pt 和 vocab.json、merges.txt（或 tokenizer.json）一起打开。',
  'error.part-answer':
    '{name} 不是文件本身，而是服务器的回答：网页、错误信息，或 Git LFS 的指针。请到模型的页面重新下载。',
  'error.not-a-config': '{name} 里没有模型的设置。请选与这些权重配套的 config.json，或者不选它。',
  'error.no-weights':
    '缺少权重。请和其他文件一起选上：一个 .safetensors 文件，全部分片及其索引，或原始形式的 JSON 和它的 .bin 文件。',
  'error.part-missing': '缺少属于这个模型的文件 {name}。请一次选上它的全部文件。',
  'error.part-size': '{name} 有 {0} 字节，而应有 {1} 字节。请重新获取。',
  'error.several-weights':
    '有好几个权重文件，例如 {name}。请只选包含整个模型的那一个；如果是 .safetensors 分片，请连同 model.safetensors.index.json 一起选上。',
  'error.file-locked': '没有打开 {name}：它会改变这份练习里固定的内容。',
  'error.file-shard':
    '{name} 只是模型的一部分。请先用 transformers 的 save_pretrained 把整个模型存成 safetensors。',
  'error.file-model': '{name}由打开的文件决定。要改它，请选“{=model.close}”。',
  'error.file-read': '无法读取文件：{name}。',
  'error.fetch': '文本没能加载。请检查网络，或自己粘贴一段文本。',
  'error.language': '另一种语言没能加载。请检查网络后再选一次。',
  'error.load': '引擎没能加载。请检查网络后刷新页面。',
  'error.load.server':
    '服务器上没有这个页面的引擎，或者发来了别的内容。请刷新页面；如果仍不行，请告诉网站的维护者。',
  'error.script': '页面的一部分没有加载成功。请检查网络连接后再试，或者刷新页面。',
  'error.worker': '后台线程停止了。请刷新页面再继续。',
  'error.no-worker': '这需要后台线程，而此处不允许启动。请在单独的标签页中打开完整页面。',
  'error.unexpected': '出了意外的问题。请刷新页面。（{name}）',
  noload: '本页有一部分没能加载。请检查网络，然后重新加载。',
  sandboxed:
    '这个框架的 sandbox 使浏览器无法加载本页。请在单独的标签页中打开，或者给 sandbox 加上 allow-same-origin。',
  nosimd:
    '这个浏览器不支持训练所需的 WebAssembly SIMD。请使用 Chromium 或 Edge 105、Firefox 110、Safari 16.4 或更新的版本。如果已经是，请打开其中的 WebAssembly。',
  noscript: '本页在你的浏览器里训练模型，需要启用 JavaScript。',
};
