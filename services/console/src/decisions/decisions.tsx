import { Alert, Button, Loader, Stack, Table, Text, Title } from '@mantine/core';
import { useServer } from '../calls/session.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { Listing } from '../shell/listing.tsx';
import { Problem } from '../shell/problem.tsx';
import { type Decision, useDecisions } from './use-decisions.ts';

/** The page of the decisions about facts: each can be taken back. */
export default function Decisions() {
  const { tell } = useTexts();
  const { session } = useServer();
  const { result, undoing } = useDecisions();
  const mayWrite = session.scopes.includes('write');
  return (
    <Stack>
      <Title order={1} size="h3">
        {tell('page.decisions')}
      </Title>
      <Text>{tell('decisions.text')}</Text>
      <Text>{tell('decisions.later')}</Text>
      <Problem error={result.error ?? undoing.error} />
      {result.isPending && <Loader aria-label={tell('wait')} />}
      {result.data?.decisions.length === 0 && <Alert title={tell('decisions.none')} />}
      {result.data !== undefined && result.data.decisions.length > 0 && (
        <DecisionTable decisions={result.data.decisions} onUndo={mayWrite ? (id) => undoing.mutate(id) : undefined} />
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
    <Listing
      heads={[
        tell('decisions.fact'),
        tell('decisions.relation'),
        tell('decisions.known'),
        tell('decisions.source'),
        tell('decisions.by'),
        tell('undo'),
      ]}
    >
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
    </Listing>
  );
}
