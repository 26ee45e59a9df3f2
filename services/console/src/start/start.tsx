import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { toHash } from '../route.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { Problem } from '../shell/problem.tsx';

interface Scenario {
  readonly language: string;
  readonly user_id: string;
  readonly persona: string;
  readonly conversation: string;
  readonly questions: readonly { readonly text: string }[];
}

async function fetchText(path: string): Promise<string> {
  const response = await fetch(path, { credentials: 'omit' });
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
  return response.text();
}

/** What a reader sees before anything is stored: a conversation to try the product with, and how to connect an application. */
export function Start() {
  const { tell, language } = useTexts();
  const { call, session } = useServer();
  const { choose } = useUser();
  const loading = useMutation({
    mutationFn: async () => {
      const scenarios = JSON.parse(await fetchText('/assets/scenarios.json')) as readonly Scenario[];
      const scenario = scenarios.find((one) => one.language === language) ?? scenarios[0];
      if (scenario === undefined) throw new Error('no scenario');
      const transcript = await fetchText(`/assets/${scenario.conversation}`);
      await call('store_conversation_memory', { user_id: scenario.user_id, conversation_history: transcript });
      return scenario;
    },
    onSuccess: ({ user_id, persona, questions }) => {
      choose(user_id);
      location.hash = toHash('ask', { persona, question: questions[0]?.text ?? '' });
    },
  });
  const url = `${location.origin}/mcp`;
  const configuration = JSON.stringify({ mcpServers: { 'context-aggregator': { type: 'http', url } } }, null, 2);
  // A key of one user stores nothing for the user of the demo.
  const mayLoad = session.users === 'all' && session.scopes.includes('write');
  return (
    <Paper withBorder p="md">
      <Stack align="start">
        <Title order={2} size="h4">
          {tell('start.title')}
        </Title>
        {mayLoad && (
          <>
            <Text>{tell('start.demoText')}</Text>
            <Button onClick={() => loading.mutate()} loading={loading.isPending}>
              {tell('start.demo')}
            </Button>
            <Problem error={loading.error} />
          </>
        )}
        <Title order={3} size="h5">
          {tell('start.client')}
        </Title>
        <Text>{tell('start.clientText')}</Text>
        <pre className="words">{configuration}</pre>
        <CopyButton text={configuration} label={tell('copy')} />
      </Stack>
    </Paper>
  );
}
