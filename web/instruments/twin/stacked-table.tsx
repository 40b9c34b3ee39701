/** A table whose rows become blocks on a phone; the first cell of a row is its head. */
export interface StackedTableProps {
  /** The name of the box around it. */
  readonly label: string;
  readonly caption: string;
  readonly heads: readonly string[];
  /** What the cells behind the head of a row contain. */
  readonly kinds: readonly ('figure' | 'written')[];
  readonly rows: readonly (readonly string[])[];
  /** Whether the heads of the rows are text of the reader, which no browser may translate. */
  readonly isOfText?: boolean;
}

export function StackedTable(props: StackedTableProps) {
  const { label, caption, heads, kinds, rows, isOfText = false } = props;
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      {/* Roles in words: where rows become blocks, browsers forget that this is a table. */}
      <table class="twin-table stacked" role="table">
        <caption>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {heads.map((head) => (
              <th scope="col" role="columnheader">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(([head, ...cells]) => (
            <tr role="row">
              <th scope="row" role="rowheader" translate={!isOfText}>
                {head}
              </th>
              {cells.map((cell, at) => (
                <td role="cell" class={kinds[at] ?? ''} data-label={heads[at + 1]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
