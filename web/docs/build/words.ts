/** Texts of the documentation's frame: labels, and the names of its languages. */
import { DOCS_LANGS } from '../../i18n/lang.ts';
import type { DocsLang } from '../../i18n/lang.ts';

export type Lang = DocsLang;
export const LANGS: readonly Lang[] = DOCS_LANGS;

/** Pages in reading order; each is `<lang>/<name>.md`. */
export const PAGES = [
  'index',
  'math-to-code',
  'autograd-and-memory',
  'training-and-inference',
  'multi-head-attention',
  'kv-cache',
  'tokenizers',
  'checkpoints',
  'teaching',
  'glossary',
] as const;

export interface Words {
  readonly tag: string;
  readonly name: string;
  readonly docs: string;
  readonly app: string;
  readonly skip: string;
  readonly contents: string;
  readonly onThisPage: string;
  readonly op: string;
  readonly stage: string;
  readonly forward: string;
  readonly backward: string;
  readonly symbol: string;
  readonly shape: string;
  readonly meaning: string;
  /** The shape of a single number. */
  readonly scalar: string;
  readonly code: string;
  readonly line: string;
  readonly wholeFile: string;
  readonly source: string;
  readonly next: string;
  readonly previous: string;
  readonly entry: string;
  readonly function: string;
  readonly fonts: string;
  /** Follows the text of a link that opens a new tab. */
  readonly newTab: string;
}

export const WORDS: Readonly<Record<Lang, Words>> = {
  en: {
    tag: 'en',
    name: 'English',
    docs: 'How it works',
    app: 'Grow a GPT behind glass',
    skip: 'Skip to the text',
    contents: 'Pages',
    onThisPage: 'On this page',
    op: 'op on the tape',
    stage: 'stage',
    forward: 'Forward',
    backward: 'Backward',
    symbol: 'Symbol',
    shape: 'Shape',
    meaning: 'Meaning',
    scalar: 'one number',
    code: 'In the code',
    line: 'line',
    wholeFile: 'Open the file here',
    source: 'Source',
    next: 'Next',
    previous: 'Previous',
    entry: 'Entry',
    function: 'C function',
    fonts: 'Formulas are set in STIX Two Math, under the SIL Open Font License.',
    newTab: ' (in a new tab)',
  },
  zh: {
    tag: 'zh-Hans',
    name: '简体中文',
    docs: '原理与代码',
    app: '玻璃房里养一个 GPT',
    skip: '跳到正文',
    contents: '全部页面',
    onThisPage: '本页内容',
    op: '梯度带上的算子',
    stage: '环节',
    forward: '前向',
    backward: '反向',
    symbol: '符号',
    shape: '形状',
    meaning: '含义',
    scalar: '一个数',
    code: '对应代码',
    line: '第',
    wholeFile: '在整个文件中查看',
    source: '出处',
    next: '下一页',
    previous: '上一页',
    entry: '条目',
    function: 'C 函数',
    fonts: '公式用 STIX Two Math 字体排印，依 SIL 开放字体许可证使用。',
    newTab: '（在新标签页中）',
  },
};
