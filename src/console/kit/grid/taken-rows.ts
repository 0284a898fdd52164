import type { ListCell } from "../../../contract/list-cells.ts";
import type { TakenColumn } from "../commands/grid-handle.ts";
import type { GridColumn } from "./grid-column.ts";

/** What a file has of these columns; one that says nothing of it is the row's own field of its name. */
export const takenColumns = <Row>(
  shown: readonly { readonly column: GridColumn<Row>; readonly width: number }[],
  titleOf: (column: GridColumn<Row>) => string,
): readonly TakenColumn[] =>
  shown.flatMap(({ column, width }) => {
    const { id, cell = plainCell(column) } = column;
    return cell === null ? [] : [{ id, title: titleOf(column), width, cell }];
  });

function plainCell<Row>({ id, amount, time }: GridColumn<Row>): ListCell {
  return { field: id, as: amount !== undefined ? "amount" : time !== undefined ? "time" : "text" };
}
