/** A table of text in a box that scrolls sideways; the first cell of each row is its heading. */
export interface DataTableProps {
  readonly caption: string;
  /** Accessible name of the box; the caption by default. */
  readonly label?: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function DataTable({ label, ...props }: DataTableProps) {
  const { caption } = props;
  return (
    <div
      class="table-scroll"
      tabIndex={0}
      role="region"
      translate={false}
      aria-label={label ?? caption}
    >
      <PlainTable {...props} />
    </div>
  );
}

/** A table without the scrolling box. */
export function PlainTable({ caption, heads, rows }: Omit<DataTableProps, 'label'>) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th scope="col">{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([head, ...cells]) => (
          <tr>
            <th scope="row">{head}</th>
            {cells.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
