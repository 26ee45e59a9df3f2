import { Button, Group, Loader, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import type { Place } from '../route.ts';
import { toPersonas, useStatus } from '../servers/use-status.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { Problem } from '../shell/problem.tsx';
import { toCode, toCurl } from './as-code.ts';
import { Explanation } from './explanation.tsx';
import { type BuiltPrompt, usePrompt } from './use-prompt.ts';

/** The room of the prompt: what a model is told of the user, and why. */
export default function Prompt({ place }: { readonly place: Place }) {
  const { tell } = useTexts();
  const status = useStatus();
  const building = usePrompt();
  const personas = status.data === undefined ? [] : toPersonas(status.data);
  const [persona, setPersona] = useState(place.given.get('persona') ?? '');
  const [question, setQuestion] = useState(place.given.get('question') ?? '');
  const [budget, setBudget] = useState('');
  const chosen = personas.includes(persona) ? persona : (personas[0] ?? '');
  const build = (): void => {
    const maxTokens = Number.parseInt(budget, 10);
    building.mutate({ persona: chosen, question, maxTokens: Number.isNaN(maxTokens) ? undefined : maxTokens });
  };
  // An address with a question asks it, once the personas are known.
  const isToAsk = useRef(question !== '');
  useEffect(() => {
    if (!isToAsk.current || chosen === '') return;
    isToAsk.current = false;
    build();
  });
  return (
    <Stack>
      <Title order={1} size="h3">
        {tell('room.prompt')}
      </Title>
      <Text>{tell('prompt.text')}</Text>
      <Problem error={status.error} />
      {status.isPending && <Loader aria-label={tell('wait')} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          build();
        }}
      >
        <Group align="end">
          <NativeSelect
            label={tell('prompt.persona')}
            data={[...personas]}
            value={chosen}
            onChange={({ currentTarget }) => setPersona(currentTarget.value)}
          />
          <TextInput
            label={tell('prompt.question')}
            className="wide-field"
            value={question}
            onChange={({ currentTarget }) => setQuestion(currentTarget.value)}
          />
          <TextInput
            type="number"
            min={1}
            max={1_000_000}
            label={tell('prompt.budget')}
            value={budget}
            onChange={({ currentTarget }) => setBudget(currentTarget.value)}
          />
          <Button type="submit" loading={building.isPending} disabled={chosen === ''}>
            {tell('prompt.build')}
          </Button>
        </Group>
      </form>
      <Problem error={building.error} />
      {building.data !== undefined && <Built built={building.data} />}
    </Stack>
  );
}

function Built({ built }: { readonly built: BuiltPrompt }) {
  const { tell } = useTexts();
  const url = `${location.origin}/mcp`;
  return (
    <>
      <Explanation built={built} />
      <Title order={2} size="h4">
        {tell('prompt.whole')}
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who uses no mouse scrolls it with the keys */}
      <pre className="words" tabIndex={0}>
        {built.prompt}
      </pre>
      <Group>
        <CopyButton text={built.prompt} label={tell('copy')} />
        <CopyButton text={toCurl(built.args, url)} label={tell('prompt.curl')} />
        <CopyButton text={toCode(built.args, url)} label={tell('prompt.code')} />
      </Group>
    </>
  );
}
