import { Alert, Button, Loader, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { MEMORIES } from '../memories/use-memories.ts';
import { Problem } from '../shell/problem.tsx';

interface Decision {
  readonly id: string;
  readonly relation: 'same' | 'replaces' | 'corrects';
  readonly fact: string;
  readonly known: string;
  readonly evidence: string;
  readonly decided_by: string;
  readonly decided_at: string;
  readonly undone_at?: string;
}

/** The room of the decisions about facts: each can be taken back. */
export default function Decisions() {
  const { tell } = useTexts();
  const { call, session } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  const key = ['decisions', user];
  const asked = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      call<{ readonly decisions: readonly Decision[] }>('list_decisions', { user_id: user }, { signal }),
  });
  const undoing = useMutation({
    mutationFn: (id: string) => call('undo_decision', { user_id: user, decision_id: id }),
    onSuccess: () =>
      Promise.all([client.invalidateQueries({ queryKey: key }), client.invalidateQueries({ queryKey: [MEMORIES] })]),
  });
  const mayWrite = session.scopes.includes('write');
  return (
    <Stack>
      <Title order={1} size="h3">
        {tell('room.decisions')}
      </Title>
      <Text>{tell('decisions.text')}</Text>
      <Problem error={asked.error ?? undoing.error} />
      {asked.isPending && <Loader aria-label={tell('wait')} />}
      {asked.data?.decisions.length === 0 && <Alert title={tell('decisions.none')} />}
      {asked.data !== undefined && asked.data.decisions.length > 0 && (
        <DecisionTable decisions={asked.data.decisions} onUndo={mayWrite ? (id) => undoing.mutate(id) : undefined} />
      )}
    </Stack>
  );
}

interface DecisionTableProps {
  readonly decisions: readonly Decision[];
  readonly onUndo: ((id: string) => void) | undefined;
}

function DecisionTable({ decisions, onUndo }: DecisionTableProps) {
  const { tell } = useTexts();
  return (
    <div className="wide">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{tell('decisions.fact')}</Table.Th>
            <Table.Th>{tell('decisions.relation')}</Table.Th>
            <Table.Th>{tell('decisions.known')}</Table.Th>
            <Table.Th>{tell('memory.source')}</Table.Th>
            <Table.Th>{tell('decisions.by')}</Table.Th>
            <Table.Th>{tell('undo')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {decisions.map(({ id, fact, relation, known, evidence, decided_by, undone_at }) => (
            <Table.Tr key={id}>
              <Table.Td className="words">{fact}</Table.Td>
              <Table.Td>{tell(`relation.${relation}`)}</Table.Td>
              <Table.Td className="words">{known}</Table.Td>
              <Table.Td className="words">{evidence}</Table.Td>
              <Table.Td className="words">{decided_by}</Table.Td>
              <Table.Td>
                {undone_at !== undefined && tell('decisions.undone')}
                {undone_at === undefined && onUndo !== undefined && (
                  <Button variant="default" onClick={() => onUndo(id)}>
                    {tell('undo')}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
