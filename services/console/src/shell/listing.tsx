import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** What a table shows. */
export interface ListingProps {
  /** The heads of its columns; one that is false is not shown. */
  readonly heads: readonly (string | false)[];
  readonly label?: string;
  /** Its rows. */
  readonly children: ReactNode;
}

/** A table under its heads, which is scrolled where it is wider than the page. */
export function Listing({ heads, label, children }: ListingProps) {
  const shown = heads.filter((head) => head !== false);
  return (
    <div className="wide">
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {shown.map((head) => (
              <Table.Th key={head} scope="col">
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </div>
  );
}
