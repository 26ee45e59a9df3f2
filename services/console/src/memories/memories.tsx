import { Alert, Button, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useServer } from '../calls/session.tsx';
import { useTexts } from '../i18n/texts.tsx';
import type { Place } from '../route.ts';
import { Disclosure } from '../shell/disclosure.tsx';
import { Problem } from '../shell/problem.tsx';
import { UndoBar } from '../shell/undo-bar.tsx';
import { Start } from '../start/start.tsx';
import { AddMemory } from './add-memory.tsx';
import { Filters } from './filters.tsx';
import type { Memory } from './memory.ts';
import { MemoryList } from './memory-list.tsx';
import { readSearch } from './read-search.ts';
import { useConsequences } from './use-consequences.ts';
import { type Deletions, useDeletions } from './use-deletions.ts';
import { isNarrowed, type MemoriesRequest, useMemories, useTotal } from './use-memories.ts';

const MemoryDetails = lazy(() => import('./details/memory-details.tsx'));
const MergeDialog = lazy(() => import('./merge-dialog.tsx'));

/** The page of the memories. What an address asks for is read as the field for searching reads it; its `words` are no time. */
export default function Memories({ place: { given } }: { readonly place: Place }) {
  const { tell } = useTexts();
  const [query, words] = [given.get('query') ?? '', given.get('words') ?? ''];
  const [read, setRead] = useState<{ readonly query: string; readonly request: MemoriesRequest }>();
  useEffect(() => {
    if (query !== '') void readSearch(query).then((request) => setRead({ query, request }));
  }, [query]);
  const first = query === '' ? { query: words } : read?.query === query ? read.request : undefined;
  if (first === undefined) return <Loader aria-label={tell('wait')} />;
  const asked = query === '' ? words : query;
  return <Timeline key={given.toString()} first={first} asked={asked} id={given.get('id')} />;
}

interface TimelineProps {
  readonly first: MemoriesRequest;
  /** The same as it stands in the field for searching. */
  readonly asked: string;
  /** The memory that is open. */
  readonly id: string | null;
}

/** One list over all stores, searched, corrected and deleted. */
function Timeline({ first: given, asked, id }: TimelineProps) {
  const { tell, language } = useTexts();
  const { session } = useServer();
  const [request, setRequest] = useState(given);
  const [opened, setOpened] = useState(() => toOpened(id));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const deletions = useDeletions();
  const consequences = useConsequences(deletions.pending);
  const { result, memories, notAsked, withheld, total } = useMemories(request);
  const all = useTotal(request);
  const shown = memories.filter(({ id }) => !deletions.hidden.has(id));
  // What was just deleted is in the store for as long as it can be undone.
  const left = total === undefined ? undefined : total - (memories.length - shown.length);
  const [first, second] = shown.filter(({ id }) => selected.has(id));
  const [merging, setMerging] = useState<readonly [Memory, Memory]>();
  useFocusReturn(opened !== undefined || merging !== undefined);
  const mayWrite = session.scopes.includes('write');
  const remove = (ids: readonly string[]): void => {
    deletions.remove(ids);
    setSelected(new Set());
    setOpened(undefined);
  };
  const mayAdminister = session.users === 'all';
  const isEmpty = result.isSuccess && memories.length === 0 && deletions.pending.length === 0;
  const isNew = isEmpty && !isNarrowed(request);
  return (
    <Stack>
      <Title order={1} size="h3">
        {tell('page.memories')}
      </Title>
      <Filters request={request} asked={asked} onChange={setRequest} />
      {mayWrite ? (
        <Disclosure label={tell('memories.add')}>
          <AddMemory />
        </Disclosure>
      ) : (
        <Text>{tell('readOnly')}</Text>
      )}
      <Problem error={result.error} onRetry={() => void result.refetch()} />
      <Problem error={deletions.error} />
      {mayAdminister && notAsked.length > 0 && (
        <details>
          <summary>{tell('memories.storesNotAsked', { count: notAsked.length })}</summary>
          {notAsked.map(({ store, reason }) => (
            <Text key={store} size="sm" className="words">
              {tell('memories.notAsked', { store, reason })}
            </Text>
          ))}
        </details>
      )}
      {withheld > 0 && <Text size="sm">{tell('memories.withheld', { count: withheld })}</Text>}
      {result.isPending && <Loader aria-label={tell('wait')} />}
      {isNew && <Start />}
      {isEmpty && !isNew && <Alert title={tell(request.query === '' ? 'memories.none' : 'memories.noHits')} />}
      <Group>
        <Text role="status">
          {shown.length > 0 && toCount({ shown: shown.length, total: left, all }, tell, language)}
        </Text>
        {selected.size > 0 && (
          <Button color="red" onClick={() => remove([...selected])}>
            {tell('delete')} ({tell('memories.selected', { count: selected.size })})
          </Button>
        )}
        {first !== undefined && second !== undefined && selected.size === 2 && (
          <Button variant="default" onClick={() => setMerging([first, second])}>
            {tell('memories.merge')}
          </Button>
        )}
      </Group>
      <MemoryList
        memories={shown}
        query={request.query}
        selected={mayWrite ? selected : undefined}
        onSelect={setSelected}
        onOpen={setOpened}
        onEnd={result.hasNextPage && !result.isFetchingNextPage ? () => void result.fetchNextPage() : undefined}
      />
      {opened !== undefined && (
        <Suspense>
          <MemoryDetails
            memory={opened}
            mayWrite={mayWrite}
            onDelete={() => remove([opened.id])}
            onCorrected={deletions.change}
            onClose={() => setOpened(undefined)}
          />
        </Suspense>
      )}
      {merging !== undefined && (
        <Suspense>
          <MergeDialog
            pair={merging}
            onClose={() => setMerging(undefined)}
            onMerged={(gone, onUndo) => {
              setMerging(undefined);
              setSelected(new Set());
              deletions.remove([gone], onUndo);
            }}
          />
        </Suspense>
      )}
      <UndoBar text={toChange(deletions, tell)} more={toMore(consequences, tell)} onUndo={deletions.undo} />
    </Stack>
  );
}

/** Gives the focus back to what had it before a dialog: the dialogs are loaded late, and leave the page when they close. */
function useFocusReturn(isOpen: boolean): void {
  const opener = useRef<Element | null>(null);
  if (isOpen) opener.current ??= document.activeElement;
  useEffect(() => {
    if (isOpen || !(opener.current instanceof HTMLElement)) return;
    opener.current.focus({ preventScroll: true });
    opener.current = null;
  }, [isOpen]);
}

/** The memory that an address names; its text is read when it is open. */
const toOpened = (id: string | null): Memory | undefined => (id === null ? undefined : { id, text: '', store: '' });

type Tell = ReturnType<typeof useTexts>['tell'];

/** Of more that goes as well it is said how many they are. */
const MOST_LINES = 5;

/** What goes with what was deleted; undefined where nothing does. */
function toMore(consequences: readonly string[], tell: Tell) {
  if (consequences.length === 0) return undefined;
  const title = tell('memories.goToo', { count: consequences.length });
  return { title, lines: consequences.slice(0, MOST_LINES) };
}

interface Counts {
  readonly shown: number;
  /** How many the filters leave; undefined of a search. */
  readonly total: number | undefined;
  /** How many there are, where filters leave some. */
  readonly all: number | undefined;
}

/** How many memories there are, in words. */
function toCount({ shown, total, all }: Counts, tell: Tell, language: string): string {
  if (total === undefined) return tell('memories.count', { count: shown });
  const count = total.toLocaleString(language);
  if (all === undefined) return tell('memories.total', { count });
  return tell('memories.some', { count, total: all.toLocaleString(language) });
}

/** What can be undone, in words. */
function toChange({ pending, isChanged }: Deletions, tell: Tell): string | undefined {
  if (pending.length > 0) return tell('memories.deleted', { count: pending.length });
  return isChanged ? tell('memories.changed') : undefined;
}
