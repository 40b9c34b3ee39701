/** A table whose rows become blocks on a phone; the first cell of a row is its head. */
export interface StackedTableProps {
  /** Accessible name of the scroll box. */
  readonly label: string;
  readonly caption: string;
  readonly heads: readonly string[];
  /** Content of each column after the row heads. */
  readonly kinds: readonly ('figure' | 'written')[];
  readonly rows: readonly (readonly string[])[];
  /** Whether row heads are quoted text, which browsers must not translate. */
  readonly isOfText?: boolean;
}

export function StackedTable(props: StackedTableProps) {
  const { label, caption, heads, kinds, rows, isOfText = false } = props;
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      {/* Explicit roles: browsers drop the table semantics of rows displayed as blocks. */}
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
