import { Anchor, Table, VisuallyHidden } from '@mantine/core';
import { useTexts } from '../i18n/texts.tsx';
import { toDay } from '../memories/memory.ts';
import { toHash } from '../route.ts';
import type { Entity, Relation } from './entity.ts';
import { toKindText, useRelationTexts } from './relation-texts.ts';

/** Most of an entity's relations and names that its row shows. */
const MOST_SHOWN = 10;

interface EntityTableProps {
  readonly entities: readonly Entity[];
  readonly relations: readonly Relation[];
}

/** The people and things with what they are to each other, as a table. */
export function EntityTable({ entities, relations }: EntityTableProps) {
  const { tell, language } = useTexts();
  const textsOf = useRelationTexts(entities, relations);
  // A phone has room for few columns: those in which nothing stands are left out.
  const has = {
    aliases: entities.some(({ aliases }) => aliases.length > 0),
    relations: relations.length > 0,
    status: entities.some(({ status }) => status !== 'active'),
  };
  const columns = (['name', 'type', 'aliases', 'relations', 'status', 'changed'] as const).filter(
    (column) => !Object.hasOwn(has, column) || has[column as keyof typeof has],
  );
  return (
    <div className="wide">
      <Table>
        <Table.Caption>
          <VisuallyHidden>{tell('things.table')}</VisuallyHidden>
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column} scope="col">
                {tell(`things.${column}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entities.map((entity) => (
            <Table.Tr key={entity.id}>
              <Table.Th scope="row" className="words">
                <Anchor href={toHash('things', { entity: String(entity.id) })} underline="always">
                  {entity.name ?? tell('things.unnamed')}
                </Anchor>
              </Table.Th>
              <Table.Td>{toKindText(entity, tell)}</Table.Td>
              {has.aliases && <Table.Td className="words">{entity.aliases.slice(0, MOST_SHOWN).join(', ')}</Table.Td>}
              {has.relations && (
                <Table.Td className="words">{textsOf(entity).slice(0, MOST_SHOWN).join('; ')}</Table.Td>
              )}
              {has.status && <Table.Td>{toStatus(entity.status, tell)}</Table.Td>}
              <Table.Td>{toDay(entity.updated_at, language)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

const statuses = ['active', 'inactive'] as const;

function toStatus(status: string, tell: ReturnType<typeof useTexts>['tell']): string {
  const known = statuses.find((one) => one === status);
  return known === undefined ? status : tell(`entity.${known}`);
}
