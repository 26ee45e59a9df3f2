import { Anchor, List, Loader, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { toDay } from '../memories/memory.ts';
import { MEMORIES } from '../memories/use-memories.ts';
import { toHash } from '../route.ts';
import { Problem } from '../shell/problem.tsx';
import { type Entity, type Relation, toRelation } from './entity.ts';
import { toKindText, useRelationTexts } from './relation-texts.ts';

const Trends = lazy(() => import('./trends.tsx'));
const MOST_EVENTS = 50;
const MOST_CHARACTERS = 2_000;

interface EntityDetailsProps {
  readonly entity: Entity;
  readonly entities: readonly Entity[];
  readonly relations: readonly Relation[];
}

/** One person or thing: its attributes, relations, events, and how often these happen. */
export function EntityDetails({ entity, entities, relations }: EntityDetailsProps) {
  const { tell } = useTexts();
  const texts = useRelationTexts(entities, relations)(entity);
  const attributes = Object.entries(entity.attributes).filter(
    ([name]) => name !== 'kind' || toRelation(entity) === undefined,
  );
  return (
    <Stack>
      <Anchor href={toHash('things')} underline="always">
        {tell('things.back')}
      </Anchor>
      <Title order={2} size="h4" className="words">
        {entity.name ?? tell('things.unnamed')} ({toKindText(entity, tell)})
      </Title>
      {entity.name !== null && (
        <Anchor href={toHash('memories', { words: entity.name })} underline="always">
          {tell('things.said')}
        </Anchor>
      )}
      {texts.length > 0 && (
        <>
          <Title order={3} size="h5">
            {tell('things.relations')}
          </Title>
          <List>
            {texts.map((text, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two relations may read alike
              <List.Item key={at} className="words">
                {text}
              </List.Item>
            ))}
          </List>
        </>
      )}
      {attributes.length > 0 && (
        <>
          <Title order={3} size="h5">
            {tell('things.attributes')}
          </Title>
          <Table layout="fixed">
            <Table.Tbody>
              {attributes.map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row" className="words">
                    {name}
                  </Table.Th>
                  <Table.Td className="words">
                    {(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MOST_CHARACTERS)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </>
      )}
      <Suspense fallback={<Loader aria-label={tell('wait')} />}>
        <Trends entityId={entity.id} />
      </Suspense>
      <Events entityId={entity.id} />
    </Stack>
  );
}

function Events({ entityId }: { readonly entityId: number }) {
  const { tell, language } = useTexts();
  const { callServer } = useServer();
  const { user } = useUser();
  const result = useQuery({
    queryKey: [MEMORIES, user, 'timeline', entityId],
    queryFn: ({ signal }) => {
      const args = { user_id: user, entity_id: entityId, limit: MOST_EVENTS };
      return callServer('search_events', args, { signal });
    },
  });
  const events = result.data?.events ?? [];
  return (
    <>
      <Title order={3} size="h5">
        {tell('things.events')}
      </Title>
      <Problem error={result.error} />
      {result.isSuccess && events.length === 0 && <Text>{tell('things.noEvents')}</Text>}
      <List>
        {events.map(({ id, description, timestamp }) => (
          <List.Item key={id} className="words">
            {toDay(timestamp, language)}: {description.slice(0, MOST_CHARACTERS)}
          </List.Item>
        ))}
      </List>
    </>
  );
}
