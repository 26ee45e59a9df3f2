import { Button, Group, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import type { Entity } from './entity.ts';

interface MergeFieldProps {
  readonly entity: Entity;
  readonly entities: readonly Entity[];
  readonly onMerge: (duplicate: number) => void;
}

/** Says that another entry is the same person or thing. */
export function MergeField({ entity, entities, onMerge }: MergeFieldProps) {
  const { tell } = useTexts();
  const [chosen, setChosen] = useState('');
  const others = entities.filter(({ id }) => id !== entity.id);
  // Of the same kind first: a person is seldom a boat.
  const sorted = others.toSorted(
    (a, b) => Number(b.entity_type === entity.entity_type) - Number(a.entity_type === entity.entity_type),
  );
  if (others.length === 0) return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== '') onMerge(Number(chosen));
        setChosen('');
      }}
    >
      <Group align="end">
        <NativeSelect
          className="wide-field"
          label={tell('things.same')}
          description={tell('things.sameText')}
          value={chosen}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={[
            { value: '', label: '–' },
            ...sorted.map(({ id, name, entity_type }) => ({
              value: String(id),
              label: `${name ?? tell('things.unnamed')} (${tell(`entity.${entity_type}`)})`,
            })),
          ]}
        />
        <Button type="submit" variant="default" disabled={chosen === ''}>
          {tell('things.merge')}
        </Button>
      </Group>
    </form>
  );
}
