import { Button, Drawer, Group, Loader, Stack, Table, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { Problem } from '../shell/problem.tsx';
import { type Memory, splitId, toDay } from './memory.ts';
import { MEMORIES } from './use-memories.ts';

interface DetailsProps {
  readonly memory: Memory;
  readonly mayWrite: boolean;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

/** One memory: its text to correct, where it comes from, what it said before. */
export function MemoryDetails({ memory, mayWrite, onDelete, onClose }: DetailsProps) {
  const { tell } = useTexts();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      title={tell('memory.title')}
      closeButtonProps={{ 'aria-label': tell('close') }}
    >
      <Stack>
        <Editor memory={memory} mayWrite={mayWrite} onDelete={onDelete} onSaved={onClose} />
        <Origin memory={memory} />
      </Stack>
    </Drawer>
  );
}

/** Of a value of the profile the text is "key: value", and only the value can be changed. */
const toEditable = ({ id, text }: Memory): string => {
  const { kind, own } = splitId(id);
  return kind === 'fact' && text.startsWith(`${own}: `) ? text.slice(own.length + 2) : text;
};

function Editor({
  memory,
  mayWrite,
  onDelete,
  onSaved,
}: Omit<DetailsProps, 'onClose'> & { readonly onSaved: () => void }) {
  const { tell } = useTexts();
  const { call } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  const whole = useWholeText(memory);
  const [typed, setTyped] = useState<string>();
  const saving = useMutation({
    mutationFn: () => call('update_memory', { user_id: user, id: memory.id, text: typed }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [MEMORIES] });
      onSaved();
    },
  });
  return (
    <>
      <Textarea
        label={tell('memory.text')}
        classNames={{ input: 'words' }}
        rows={8}
        value={typed ?? whole}
        readOnly={!mayWrite}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Problem error={saving.error} />
      {mayWrite && (
        <Group>
          <Button
            onClick={() => saving.mutate()}
            loading={saving.isPending}
            disabled={typed === undefined || typed.trim() === ''}
          >
            {tell('save')}
          </Button>
          <Button color="red" variant="outline" onClick={onDelete}>
            {tell('delete')}
          </Button>
        </Group>
      )}
    </>
  );
}

interface Document {
  readonly content: string;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The document of the knowledge base that a memory is; undefined for other kinds. */
function useDocument({ id }: Memory) {
  const { call, findTool } = useServer();
  const { user } = useUser();
  const { kind, own } = splitId(id);
  const tool = findTool('get_document');
  return useQuery({
    queryKey: [MEMORIES, user, 'document', own],
    queryFn: ({ signal }) =>
      call<{ readonly document: Document }>(tool ?? '', { doc_id: own, user_id: user }, { signal }),
    enabled: kind === 'note' && tool !== undefined,
  });
}

/** Lists cut long texts; the document has all of it. */
function useWholeText(memory: Memory): string {
  return useDocument(memory).data?.document.content ?? toEditable(memory);
}

function Origin({ memory }: { readonly memory: Memory }) {
  const { tell, language } = useTexts();
  const document = useDocument(memory);
  const history = useHistory(memory);
  const { tags = [], metadata = {} } = document.data?.document ?? {};
  const fields = [
    [tell('memory.store'), memory.store],
    [tell('memory.time'), toDay(memory.time, language) ?? tell('memories.undated')],
    [tell('memory.id'), memory.id],
    ...(tags.length > 0 ? [[tell('memory.tags'), tags.slice(0, MOST_TAGS).join(', ')]] : []),
    ...Object.entries(metadata).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ];
  return (
    <>
      <Title order={3} size="h5">
        {tell('memory.source')}
      </Title>
      {document.isLoading && <Loader aria-label={tell('wait')} />}
      <Table>
        <Table.Tbody>
          {fields.map(([name = '', value = '']) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td className="words">{value.slice(0, MOST_CHARACTERS)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {history.length > 0 && (
        <>
          <Title order={3} size="h5">
            {tell('memory.history')}
          </Title>
          {history.map(({ version, value, changed_at }) => (
            <Text key={version} className="words">
              {toDay(changed_at, language)}: {value ?? '–'}
            </Text>
          ))}
        </>
      )}
    </>
  );
}

const MOST_TAGS = 100;
const MOST_CHARACTERS = 2_000;

interface Version {
  readonly version: number;
  readonly value: string | null;
  readonly changed_at: string;
}

/** The values that a fact had before, newest first; nothing for other kinds. */
function useHistory({ id }: Memory): readonly Version[] {
  const { call, findTool } = useServer();
  const { user } = useUser();
  const { kind, own } = splitId(id);
  const tool = findTool('query_profile_history');
  const asked = useQuery({
    queryKey: [MEMORIES, user, 'history', own],
    queryFn: ({ signal }) =>
      call<{ readonly versions: readonly Version[] }>(tool ?? '', { key: own, user_id: user }, { signal }),
    enabled: kind === 'fact' && tool !== undefined,
  });
  return asked.data?.versions ?? [];
}
