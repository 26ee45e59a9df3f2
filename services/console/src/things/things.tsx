import { Alert, Button, Checkbox, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import { CallError } from '../calls/call-tool.ts';
import { useServer } from '../calls/session.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { type Place, toHash } from '../route.ts';
import { Problem } from '../shell/problem.tsx';
import { UndoBar } from '../shell/undo-bar.tsx';
import type { Entity, Relation } from './entity.ts';
import { EntityDetails } from './entity-details.tsx';
import { EntityTable } from './entity-table.tsx';
import { MergeField } from './merge-field.tsx';
import { type Changes, useChanges } from './use-changes.ts';
import { MOST_ENTITIES, useEntities, useRelations } from './use-entities.ts';

interface EntityActionsProps {
  readonly entity: Entity;
  readonly changes: Changes;
}

/** What can be done where an entry is wrong. */
function EntityActions({ entity: { id, status }, changes }: EntityActionsProps) {
  const { tell } = useTexts();
  const putAside = (): void => {
    changes.change({ kind: 'put_aside', entity_id: id });
    location.hash = toHash('things');
  };
  return (
    <Group>
      <Button component="a" variant="default" href={toHash('memories', { id: `entity:${id}` })}>
        {tell('things.correct')}
      </Button>
      {status === 'active' ? (
        <Button variant="default" onClick={putAside}>
          {tell('things.putAside')}
        </Button>
      ) : (
        <Button variant="default" onClick={() => void changes.restore(id)}>
          {tell('things.restore')}
        </Button>
      )}
    </Group>
  );
}

const EntityGraph = lazy(() => import('./entity-graph.tsx'));
const Trends = lazy(() => import('./trends.tsx'));

/** What is said of a change that can be undone. */
const DONE = { merge: 'things.merged', put_aside: 'things.wasPutAside' } as const;

const openEntity = (id: number): void => {
  location.hash = toHash('things', { entity: String(id) });
};

interface EntitiesProps {
  readonly entities: readonly Entity[];
  readonly relations: readonly Relation[];
  /** When the relations were read. */
  readonly readAt: number;
}

/** The people and things, as a picture where any belong together, and as a table. */
function Entities({ entities, relations, readAt }: EntitiesProps) {
  const { tell } = useTexts();
  return (
    <>
      {entities.length === MOST_ENTITIES && <Text>{tell('things.most', { count: MOST_ENTITIES })}</Text>}
      {relations.length > 0 && (
        <Suspense fallback={<Loader aria-label={tell('wait')} />}>
          <EntityGraph key={readAt} entities={entities} relations={relations} onOpen={openEntity} />
        </Suspense>
      )}
      <EntityTable entities={entities} relations={relations} />
    </>
  );
}

/** The page of the people and things: how they belong together, and what happened with them. */
export default function Things({ place }: { readonly place: Place }) {
  const { tell } = useTexts();
  const { offers, session } = useServer();
  const listed = useEntities();
  const related = useRelations();
  const changes = useChanges();
  const { hidden } = changes;
  const [showsAside, setShowsAside] = useState(false);
  const all = useMemo(() => (listed.data ?? []).filter(({ id }) => !hidden.has(id)), [listed.data, hidden]);
  const active = useMemo(() => all.filter(({ status }) => status === 'active'), [all]);
  const entities = showsAside ? all : active;
  const relations = useMemo(() => toShown(related.data ?? [], entities), [related.data, entities]);
  const opened = all.find(({ id }) => String(id) === place.given.get('entity'));
  const mayWrite = session.scopes.includes('write');
  const mayMerge = offers('merge_entities') && mayWrite;
  const isThere = offers('list_entities');
  const error = listed.error ?? related.error;
  // The page offers only users whom the caller may ask about: what refuses one of them is a store for another user alone.
  const isForAnother = error instanceof CallError && error.code === 'forbidden';
  const retry = (): void => {
    void listed.refetch();
    void related.refetch();
  };
  return (
    <Stack>
      <Title order={1} size="h3">
        {tell('page.things')}
      </Title>
      {isForAnother ? <Alert title={tell('things.another')} /> : <Problem error={error} onRetry={retry} />}
      <Problem error={changes.error} />
      {!isThere && <Alert title={tell('things.absent')} />}
      {listed.isLoading && <Loader aria-label={tell('wait')} />}
      {listed.data?.length === 0 && <Alert title={tell('things.none')} />}
      {opened !== undefined && <EntityDetails entity={opened} entities={entities} relations={relations} />}
      {opened !== undefined && mayMerge && (
        <MergeField
          entity={opened}
          entities={active}
          onMerge={(duplicate_id) => changes.change({ kind: 'merge', entity_id: opened.id, duplicate_id })}
        />
      )}
      {opened !== undefined && mayWrite && <EntityActions entity={opened} changes={changes} />}
      {opened === undefined && entities.length > 0 && (
        <Entities entities={entities} relations={relations} readAt={related.dataUpdatedAt} />
      )}
      {opened === undefined && all.length > active.length && (
        <Checkbox
          label={tell('things.aside', { count: all.length - active.length })}
          checked={showsAside}
          onChange={() => setShowsAside(!showsAside)}
        />
      )}
      {opened === undefined && isThere && error === null && (
        <Suspense>
          <Trends />
        </Suspense>
      )}
      <UndoBar text={changes.last && tell(DONE[changes.last.kind])} onUndo={changes.undo} />
    </Stack>
  );
}

/** The relations whose both ends are shown. */
function toShown(relations: readonly Relation[], entities: readonly Entity[]): readonly Relation[] {
  const known = new Set(entities.map(({ id }) => id));
  return relations.filter(({ entity_id_1, entity_id_2 }) => known.has(entity_id_1) && known.has(entity_id_2));
}
