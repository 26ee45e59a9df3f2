import { Alert, Button, Group, Loader, NativeSelect, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { useServer } from '../calls/session.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { Problem } from '../shell/problem.tsx';
import { Start } from '../start/start.tsx';
import { AddMemory } from './add-memory.tsx';
import { type Kind, kinds, type Memory } from './memory.ts';
import { MemoryDetails } from './memory-details.tsx';
import { MemoryList } from './memory-list.tsx';
import { type Deletions, useDeletions } from './use-deletions.ts';
import { type MemoriesRequest, useMemories } from './use-memories.ts';

/** The room of the memories: one list over all stores, searched, corrected and deleted. */
export function Memories() {
  const { tell } = useTexts();
  const { session } = useServer();
  const [request, setRequest] = useState<MemoriesRequest>({ query: '', kind: undefined });
  const [opened, setOpened] = useState<Memory>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const deletions = useDeletions();
  const { asked, memories, notAsked } = useMemories(request);
  const shown = memories.filter(({ id }) => !deletions.hidden.has(id));
  const mayWrite = session.scopes.includes('write');
  const remove = (ids: readonly string[]): void => {
    deletions.remove(ids);
    setSelected(new Set());
    setOpened(undefined);
  };
  const isEmpty = asked.isSuccess && memories.length === 0 && deletions.pending === 0;
  const isNew = isEmpty && request.query === '' && request.kind === undefined;
  return (
    <Stack>
      <Title order={1} size="h3">
        {tell('room.memories')}
      </Title>
      <Filters request={request} onChange={setRequest} />
      {mayWrite ? <AddMemory /> : <Text>{tell('readOnly')}</Text>}
      <Problem error={asked.error ?? deletions.error} />
      {notAsked.map(({ store, reason }) => (
        <Text key={store} size="sm">
          {tell('memories.notAsked', { store, reason })}
        </Text>
      ))}
      {asked.isPending && <Loader aria-label={tell('wait')} />}
      {isNew && <Start />}
      {isEmpty && !isNew && <Alert title={tell(request.query === '' ? 'memories.none' : 'memories.noHits')} />}
      <Group>
        <Text role="status">{tell('memories.count', { count: shown.length })}</Text>
        {selected.size > 0 && (
          <Button color="red" onClick={() => remove([...selected])}>
            {tell('delete')} ({tell('memories.selected', { count: selected.size })})
          </Button>
        )}
      </Group>
      <MemoryList
        memories={shown}
        query={request.query}
        selected={mayWrite ? selected : undefined}
        onSelect={setSelected}
        onOpen={setOpened}
        onEnd={asked.hasNextPage && !asked.isFetchingNextPage ? () => void asked.fetchNextPage() : undefined}
      />
      {opened !== undefined && (
        <MemoryDetails
          memory={opened}
          mayWrite={mayWrite}
          onDelete={() => remove([opened.id])}
          onClose={() => setOpened(undefined)}
        />
      )}
      <UndoBar deletions={deletions} />
    </Stack>
  );
}

interface FiltersProps {
  readonly request: MemoriesRequest;
  readonly onChange: (request: MemoriesRequest) => void;
}

function Filters({ request, onChange }: FiltersProps) {
  const { tell } = useTexts();
  const [query, setQuery] = useState(request.query);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onChange({ ...request, query: query.trim() });
        }}
      >
        <Group align="end">
          <TextInput
            type="search"
            className="wide-field"
            label={tell('memories.search')}
            placeholder={tell('memories.searchHint')}
            maxLength={1_000}
            value={query}
            onChange={({ currentTarget: { value } }) => {
              setQuery(value);
              if (value === '') onChange({ ...request, query: '' });
            }}
          />
          <NativeSelect
            label={tell('memories.kind')}
            value={request.kind ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...request, kind: kinds.find((kind: Kind) => kind === value) })
            }
            data={[
              { value: '', label: tell('memories.all') },
              ...kinds.map((value) => ({ value, label: tell(`kind.${value}`) })),
            ]}
          />
          <Button type="submit">{tell('memories.search')}</Button>
        </Group>
      </form>
    </search>
  );
}

function UndoBar({ deletions: { pending, undo } }: { readonly deletions: Deletions }) {
  const { tell } = useTexts();
  return (
    <div role="status" className="bar">
      {pending > 0 && (
        <Paper withBorder shadow="md" p="sm">
          <Group justify="space-between">
            <Text>{tell('memories.deleted', { count: pending })}</Text>
            <Button onClick={undo}>{tell('undo')}</Button>
          </Group>
        </Paper>
      )}
    </div>
  );
}
