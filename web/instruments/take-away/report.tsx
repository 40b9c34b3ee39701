/**
 * A run as one HTML file that needs nothing else: its curve, the sections of other instruments, its
 * settings, and its origin. It has no script, and its policy allows none. Everything a person or a
 * model wrote becomes a text node, which the browser's serializer escapes.
 */
import { presetValue, valueOf } from '../../engine/options.ts';
import type { OptionTable, Recipe } from '../../engine/options.ts';
import { gap, languageOf, sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { PlainTable } from '../../kit/data-table.tsx';
import type { DataTableProps } from '../../kit/data-table.tsx';
import { Paragraphs } from '../../kit/note.tsx';
import { fairUnit, knownUnit, longestOf, unitFactor, unitKey } from '../../data/loss-data.ts';
import type { LossChoice, LossData, LossUnit } from '../../data/loss-data.ts';
import { lossNotes } from '../../store/training/loss-reading.ts';
import { lossPicture } from '../../kit/pictures/loss-picture.ts';
import { THEMED } from '../../kit/palette.ts';
import { render } from '../../kit/render.ts';
import {
  validationText,
  validationUnit,
  verdictSentence,
} from '../../store/training/twin-verdict.ts';
import type { RunChange } from '../../engine/receipt.ts';
import { isIdle } from '../../base/idle-option.ts';
import type { ComparedRuns } from '../../store/training/compared-runs.ts';
import { differences, optionText, valueText } from '../../store/training/run-name.ts';
import type { TextOrigin } from '../../store/training/run-name.ts';
import type { ReportSection } from '../panel.ts';

export interface ReportFacts {
  /** The run's name, or its text and changed settings. */
  readonly title: string;
  readonly table: OptionTable;
  readonly recipe: Recipe;
  readonly text: {
    readonly name: string;
    readonly origin: TextOrigin;
    readonly bytes: number;
    readonly sha256: string;
  };
  readonly model: { readonly parameters: number; readonly vocab: number; readonly tokens: number };
  readonly loss: LossData;
  /** The reader's choices for the loss curve: unit, smoothing, axes. */
  readonly lossChoice: LossChoice;
  /** The run, and the runs drawn beside it. */
  readonly compared: ComparedRuns;
  /** The line of the receipt; empty if the trainer can only generate. */
  readonly receipt: string;
  /** Settings changed during the run, in order. */
  readonly changes: readonly RunChange[];
  /** Time of the report, in milliseconds since 1970. */
  readonly made: number;
}

const STYLE = `
:root{--paper:#fbfaf6;--ink:#21261f;--muted:#5e6459;--grid:#e2e0d6;--accent:#2c7a3f;--amber:#b06a00;
--line-1:#3b62a8;--line-2:#8a4a9e;--line-3:#a63d57;--line-4:#4f6670;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--paper:#141814;--ink:#e7eae2;--muted:#a2ab9d;--grid:#303730;
--accent:#7cc687;--amber:#e2a94c;--line-1:#8fb0ee;--line-2:#cf9be0;--line-3:#f09aaf;--line-4:#a9bcc4}}
body{margin:0 auto;padding:2rem 1rem;max-width:60rem;background:var(--paper);color:var(--ink);
font:1rem/1.55 system-ui,"Segoe UI","PingFang SC","Noto Sans CJK SC",sans-serif}
h1{margin:0;line-height:1.2;overflow-wrap:anywhere}h2{margin:2rem 0 .5rem;border-top:1px solid var(--grid);padding-top:1rem}
p{margin:.4rem 0;max-width:44rem}.muted{color:var(--muted)}
svg.curve{display:block;width:100%;height:auto}svg.small{display:none}
@media (max-width:40rem){h1{font-size:1.5rem}svg.large{display:none}svg.small{display:block}}
summary{cursor:pointer;padding:.4rem 0;color:var(--accent)}
code,.written{font-family:ui-monospace,Menlo,Consolas,"Noto Sans Mono CJK SC",monospace;overflow-wrap:anywhere}
.written{white-space:pre-wrap;margin:.15rem 0}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--muted)}
th,td{padding:.15rem .9rem .15rem 0;text-align:left;font-weight:400;vertical-align:top}
thead th{color:var(--muted);border-bottom:1px solid var(--grid)}
@media print{body{max-width:none}figure,svg,tr{break-inside:avoid}.wide{overflow:visible}
details::details-content{content-visibility:visible;block-size:auto}}
`;

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** Returns the whole file; other instruments make the `sections`. */
export function runReport(
  facts: ReportFacts,
  sections: readonly ReportSection[],
  words: AllWords,
): string {
  const all: readonly ReportSection[] = [
    { title: 'report.loss', body: lossParts(facts, words), style: STYLE },
    ...sections,
    { title: 'report.losses', body: lossTable(facts, words) },
    { title: 'report.settings', body: settingsParts(facts, words) },
    { title: 'report.source', body: sourceParts(facts, words) },
  ];
  const html = document.createElement('html');
  ({ tag: html.lang, dir: html.dir } = languageOf(words.lang));
  render(
    <>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <title>{facts.title}</title>
        <style>{all.map(({ style = '' }) => style).join('')}</style>
      </head>
      <body>
        <header>
          <h1>{facts.title}</h1>
          <p class="muted">{subtitle(facts, words)}</p>
        </header>
        {all.map(({ title, body }) => (
          <section>
            <h2>{words.find(title) ?? title}</h2>
            {body}
          </section>
        ))}
      </body>
    </>,
    html,
  );
  return `<!doctype html>\n${html.outerHTML}\n`;
}

function subtitle({ recipe, loss, model, table: options }: ReportFacts, words: AllWords): string {
  return [
    recipe.preset,
    words.t('report.steps', { step: loss.history.length }),
    words.t('report.parameters', { count: model.parameters }),
    optionText(options, recipe, 'seed', words),
  ].join(' · ');
}

/** Sizes of the curve for wide screens and for phones: scaling one down would shrink its text. */
const WIDE = { width: 960, height: 480 };
const SMALL = { width: 360, height: 300 };

/** Replaces the node that it renders by `element`. Safe only if the node is rendered once. */
function Drawn({ element }: { readonly element: SVGSVGElement }) {
  return <svg ref={(place) => place?.replaceWith(element)} />;
}

function lossParts(facts: ReportFacts, words: AllWords) {
  const { t } = words;
  const { history, randomLoss, tokensPerCharacter } = facts.loss;
  const unit = unitOf(facts);
  const { smoothing } = facts.lossChoice;
  const smoothed = history.smoothedLast(smoothing) ?? NaN;
  const shown = (loss: number, as: LossUnit, part: 'train' | 'validation' = 'train'): string =>
    words.number(loss * unitFactor({ unit: as }, tokensPerCharacter[part]), 3);
  const said = [
    t(smoothing > 0 ? 'report.loss.end' : 'report.loss.last', {
      step: history.length,
      smoothed: shown(smoothed, unit),
      random: shown(randomLoss, unit),
      unit: t(unitKey(unit)),
    }),
  ];
  const other = unit === 'nats' ? 'bits' : 'nats';
  if (knownUnit(other, tokensPerCharacter) === other) {
    said.push(t('report.loss.other', { loss: shown(smoothed, other), unit: t(unitKey(other)) }));
  }
  if (Number.isFinite(smoothed)) {
    said.push(t('report.loss.perplexity', { perplexity: words.short(Math.exp(smoothed)) }));
  }
  const held = history.lastValidation;
  if (held !== undefined) {
    const step = words.number(held.step);
    const loss = shown(held.loss, unit, 'validation');
    said.push(t('report.loss.validation', { loss, step, unit: t(unitKey(unit)) }));
  }
  said.push(lossNotes(facts.loss, { unit }, words));
  const title = t('loss.picture', { step: history.length });
  const look = { ...facts.lossChoice, unit, window: null };
  // The axis ends at the last step, not at the planned number of steps.
  const data = { ...facts.loss, steps: longestOf(facts.loss) };
  const draw = (size: typeof WIDE, kind: string): SVGSVGElement => {
    const made = lossPicture(data, look, { words, title, palette: THEMED, size, heading: false });
    made.setAttribute('class', `curve ${kind}`);
    return made;
  };
  return (
    <>
      <p>{sentences(said, words)}</p>
      <Drawn element={draw(WIDE, 'large')} />
      <Drawn element={draw(SMALL, 'small')} />
      {comparedParts(facts, words)}
    </>
  );
}

/** Compares the runs drawn in one chart, in a table and a sentence; null for a single run. */
function comparedParts({ compared, lossChoice, loss }: ReportFacts, words: AllWords) {
  const { t, number } = words;
  const { rows, step } = compared;
  if (rows.length < 2) return null;
  const wanted = fairUnit(lossChoice.unit, loss);
  const unit = validationUnit(rows, step, wanted);
  const validates = rows.some(({ validation }) => validation !== null);
  const held = validates ? [t('twin.validation', { unit: t(unitKey(unit)) })] : [];
  const plain = lossChoice.smoothing === 0 ? 'twin.loss.plain' : 'twin.loss';
  const heads = [t('twin.run'), t(plain), t('twin.bits'), ...held];
  const cells = rows.map((run) => [
    run.name,
    number(run.loss, 3),
    number(run.bits, 3),
    ...(validates ? [validationText(run, unit, step, words)] : []),
  ]);
  const caption = t('twin.caption', { step: number(step) });
  return (
    <>
      <WideTable caption={caption} heads={heads} rows={cells} />
      <Paragraphs texts={[verdictSentence(rows, step, wanted, words)]} />
    </>
  );
}

function WideTable(table: DataTableProps) {
  return (
    <div class="wide">
      <PlainTable {...table} />
    </div>
  );
}

/** The unit of all losses in the report: the reader's choice if all curves compare in it. */
function unitOf({ loss, lossChoice }: ReportFacts): LossUnit {
  return fairUnit(lossChoice.unit, loss);
}

/** The losses as a table, folded because it is long. */
function lossTable(facts: ReportFacts, words: AllWords) {
  const { t } = words;
  const { history, tokensPerCharacter } = facts.loss;
  const unit = unitOf(facts);
  const factor = unitFactor({ unit }, tokensPerCharacter.train);
  const heldOut = unitFactor({ unit }, tokensPerCharacter.validation);
  // The column of the validation loss is omitted if no step has one.
  const validates = history.lastValidation !== undefined;
  const heads = [t('loss.col.steps'), t('loss.col.mean')];
  if (validates) heads.push(t('loss.validation'));
  const rows = history.blocks(history.blockSize()).map((block) => {
    const cells = [
      `${words.number(block.from)}–${words.number(block.to)}`,
      words.number(block.mean * factor, 4),
    ];
    const loss = history.validationIn(block.from - 1, block.to) ?? NaN;
    if (validates) cells.push(words.number(loss * heldOut, 4));
    return cells;
  });
  const caption = t('loss.table.caption', { unit: t(unitKey(unit)) });
  return folded(t('report.rows', { count: rows.length }), { caption, heads, rows });
}

/** A table in a closed <details> element. */
function folded(title: string, table: DataTableProps) {
  return (
    <details>
      <summary>{title}</summary>
      <WideTable {...table} />
    </details>
  );
}

/** Options that differ from the preset, and a folded table of all options with both values. */
function settingsParts(facts: ReportFacts, words: AllWords) {
  const { table: options, recipe, text, changes } = facts;
  const { t } = words;
  const preset: Recipe = { preset: recipe.preset, changes: {} };
  const values = Object.fromEntries(
    options.options.map(({ name }) => [name, valueOf(options, recipe, name)]),
  );
  const shown = options.options.filter((option) => !isIdle(option, options.options, values));
  const rows = shown.map((option) => {
    const changed = recipe.changes[option.name];
    const same = changed === undefined || changed === presetValue(options, recipe.preset, option);
    return [
      optionText(options, recipe, option.name, words),
      same ? '' : optionText(options, preset, option.name, words),
    ];
  });
  const heads = [t('report.setting'), t('report.preset', { preset: recipe.preset })];
  const run = { recipe, text: text.origin, textKey: '' };
  const list = differences(run, [{ ...run, recipe: preset }], options, words, Infinity);
  const parts = { preset: recipe.preset, list };
  const said = [
    list === '' ? t('report.unchanged', parts) : t('report.changed', parts),
    changes.length === 0 ? '' : onTheWay(facts, words),
  ];
  const caption = t('report.settings.caption');
  return (
    <>
      <Paragraphs texts={said} />
      {folded(caption, { caption, heads, rows })}
    </>
  );
}

/**
 * Settings changed during the run. They belong in the report: a run with the final settings from
 * its first step would differ.
 */
function onTheWay({ table: options, changes }: ReportFacts, words: AllWords): string {
  const list = changes.map(({ step, option, from, to }) =>
    words.t('report.onTheWay.one', {
      name: words.find(`option.${option}`) ?? option,
      was: valueText(options, option, from, words),
      now: valueText(options, option, to, words),
      step: words.number(step),
    }),
  );
  return words.t('report.onTheWay', { list: list.join(words.t('list.separator')) });
}

function sourceParts({ text, model, receipt, made }: ReportFacts, words: AllWords) {
  const { t } = words;
  const code = (name: string, value: string) =>
    value !== '' && (
      <p>
        {name}
        <code>{value}</code>
      </p>
    );
  return (
    <>
      <p>{t('report.text', { name: text.name, bytes: text.bytes, tokens: model.tokens })}</p>
      {code('SHA-256: ', text.sha256)}
      {code(`${t('report.receipt')}${gap(words)}`, receipt)}
      <p>{t('report.made', { when: words.moment(made) })}</p>
      <p class="muted">{t('report.repeat')}</p>
    </>
  );
}
