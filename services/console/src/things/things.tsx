import { Alert, Loader, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { CallError } from '../calls/call-tool.ts';
import { useServer } from '../calls/session.tsx';
import { useTexts } from '../i18n/texts.tsx';
import type { Voice } from '../memories/conversation-text.ts';
import { type Place, toHash } from '../route.ts';
import { Problem } from '../shell/problem.tsx';
import { UndoBar } from '../shell/undo-bar.tsx';
import type { Entity, Relation } from './entity.ts';
import { EntityDetails } from './entity-details.tsx';
import { EntityTable } from './entity-table.tsx';
import { MergeField } from './merge-field.tsx';
import { type Relative, relationTexts } from './relatives.ts';
import { MOST_ENTITIES, useEntities, usePeople, useRelations } from './use-entities.ts';
import { useMerges } from './use-merges.ts';

const MOST_NAMES = 50;

interface NamesProps {
  readonly title: string;
  /** Each with the words of its link. */
  readonly people: readonly { readonly name: string; readonly text: string }[];
}

/** Names of conversations, each leading to what was said. */
function Names({ title, people }: NamesProps) {
  if (people.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h5">
        {title}
      </Title>
      <ul className="names">
        {people.slice(0, MOST_NAMES).map(({ name, text }) => (
          <li key={name}>
            <a className="words" href={toHash('memories', { query: name })}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Who is named and who speaks in conversations. */
function People({ voices, relatives }: { readonly voices: readonly Voice[]; readonly relatives: readonly Relative[] }) {
  const { tell, language } = useTexts();
  const said = relatives.map(({ name, relation }) => {
    return { name, text: tell('things.relative', { name, relation: relationTexts[language][relation] }) };
  });
  const speaking = voices.map(({ name, count }) => ({ name, text: tell('things.voice', { name, count }) }));
  return (
    <>
      <Names title={tell('things.relatives')} people={said} />
      <Names title={tell('things.voices')} people={speaking} />
    </>
  );
}

const EntityGraph = lazy(() => import('./entity-graph.tsx'));
const Trends = lazy(() => import('./trends.tsx'));

const openEntity = (id: number): void => {
  location.hash = toHash('things', { entity: String(id) });
};

const NOBODY = { voices: [], relatives: [] };

/** The page of the people and things: how they belong together, and what happened with them. */
export default function Things({ place }: { readonly place: Place }) {
  const { tell } = useTexts();
  const { offers, session } = useServer();
  const listed = useEntities();
  const related = useRelations();
  const { data: people = NOBODY } = usePeople();
  const merges = useMerges();
  const { hidden } = merges;
  const entities = useMemo(() => (listed.data ?? []).filter(({ id }) => !hidden.has(id)), [listed.data, hidden]);
  const relations = useMemo(() => toShown(related.data ?? [], entities), [related.data, entities]);
  const opened = entities.find(({ id }) => String(id) === place.given.get('entity'));
  const mayMerge = offers('merge_entities') && session.scopes.includes('write');
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
      <Problem error={merges.error} />
      {!isThere && <Alert title={tell('things.absent')} />}
      {listed.isLoading && <Loader aria-label={tell('wait')} />}
      {listed.data?.length === 0 && people.voices.length === 0 && <Alert title={tell('things.none')} />}
      {opened === undefined && <People {...people} />}
      {opened !== undefined && <EntityDetails entity={opened} entities={entities} relations={relations} />}
      {opened !== undefined && mayMerge && (
        <MergeField
          entity={opened}
          entities={entities}
          onMerge={(duplicate_id) => merges.merge({ entity_id: opened.id, duplicate_id })}
        />
      )}
      {opened === undefined && entities.length > 0 && (
        <>
          {entities.length === MOST_ENTITIES && <Text>{tell('things.most', { count: MOST_ENTITIES })}</Text>}
          {relations.length > 0 && (
            <Suspense fallback={<Loader aria-label={tell('wait')} />}>
              <EntityGraph key={related.dataUpdatedAt} entities={entities} relations={relations} onOpen={openEntity} />
            </Suspense>
          )}
          <EntityTable entities={entities} relations={relations} />
        </>
      )}
      {opened === undefined && isThere && error === null && (
        <Suspense>
          <Trends />
        </Suspense>
      )}
      <UndoBar text={merges.isPending ? tell('things.merged') : undefined} onUndo={merges.undo} />
    </Stack>
  );
}

/** The relations whose both ends are shown. */
function toShown(relations: readonly Relation[], entities: readonly Entity[]): readonly Relation[] {
  const known = new Set(entities.map(({ id }) => id));
  return relations.filter(({ entity_id_1, entity_id_2 }) => known.has(entity_id_1) && known.has(entity_id_2));
}
