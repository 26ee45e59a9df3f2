import { List, Title } from '@mantine/core';
import { useTexts } from '../../i18n/texts.tsx';
import { toHash } from '../../route.ts';
import { useEntities } from '../../things/use-entities.ts';
import { splitId } from '../memory.ts';
import { toTexts, type WholeMemory } from './use-whole.ts';

/** The people and things that a memory is about; nothing where it names none. */
export function Links({ whole }: { readonly whole: WholeMemory }) {
  const { kind, own } = splitId(whole.id);
  const ids = kind === 'entity' ? [own] : toTexts(whole.details['related_entity_ids']);
  return ids.length === 0 ? null : <EntityLinks ids={ids} />;
}

function EntityLinks({ ids }: { readonly ids: readonly string[] }) {
  const { tell } = useTexts();
  const { data: entities = [] } = useEntities();
  const nameOf = (id: string): string => entities.find((one) => String(one.id) === id)?.name ?? id;
  return (
    <>
      <Title order={3} size="h5">
        {tell('memory.links')}
      </Title>
      <List>
        {ids.map((id) => (
          <List.Item key={id} className="words">
            <a href={toHash('things', { entity: id })}>{nameOf(id)}</a>
          </List.Item>
        ))}
      </List>
    </>
  );
}
