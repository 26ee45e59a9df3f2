import { Button, Group, Loader, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useServer } from '../calls/session.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { useViewTexts } from '../i18n/view-texts.ts';
import { AddMemory } from '../memories/add-memory.tsx';
import { toConversation } from '../memories/conversation-text.ts';
import { toDay } from '../memories/memory.ts';
import { Bubbles } from '../memories/memory-words.tsx';
import { type BuiltPrompt, usePrompt } from '../prompt/use-prompt.ts';
import { type Place, toHash } from '../route.ts';
import { toPersonas, useStatus } from '../servers/use-status.ts';
import { Problem } from '../shell/problem.tsx';
import { askTexts } from './texts.ts';

/** The room where one asks: what an assistant would be told, why, and what is to be corrected about it. */
export default function Ask({ place }: { readonly place: Place }) {
  const { tell } = useTexts();
  const say = useViewTexts(askTexts);
  const { session } = useServer();
  const status = useStatus();
  const building = usePrompt();
  const personas = status.data === undefined ? [] : toPersonas(status.data);
  const [persona, setPersona] = useState(place.given.get('persona') ?? '');
  const [question, setQuestion] = useState(place.given.get('question') ?? '');
  const chosen = personas.includes(persona) ? persona : (personas[0] ?? '');
  const look = (): void => building.mutate({ persona: chosen, question, maxTokens: undefined });
  // An address with a question asks it, once it is known who answers.
  const isToAsk = useRef(question !== '');
  useEffect(() => {
    if (!isToAsk.current || chosen === '') return;
    isToAsk.current = false;
    look();
  });
  return (
    <Stack>
      <Title order={1} size="h3">
        {say('title')}
      </Title>
      <Text>{say('text')}</Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          look();
        }}
      >
        <Group align="end">
          <TextInput
            label={say('question')}
            className="wide-field"
            value={question}
            onChange={({ currentTarget }) => setQuestion(currentTarget.value)}
          />
          {personas.length > 1 && (
            <NativeSelect
              label={say('persona')}
              data={[...personas]}
              value={chosen}
              onChange={({ currentTarget }) => setPersona(currentTarget.value)}
            />
          )}
          <Button type="submit" loading={building.isPending} disabled={chosen === ''}>
            {say('look')}
          </Button>
        </Group>
      </form>
      <Problem error={status.error ?? building.error} />
      {status.isPending && <Loader aria-label={tell('wait')} />}
      {building.data !== undefined && <Told explanation={building.data.explanation} />}
      {session.scopes.includes('write') && building.data !== undefined && (
        <>
          <Title order={2} size="h5">
            {say('missing')}
          </Title>
          <AddMemory />
        </>
      )}
    </Stack>
  );
}

type Line = BuiltPrompt['explanation']['lines'][number];

function Told({ explanation: { lines, left_out } }: Pick<BuiltPrompt, 'explanation'>) {
  const say = useViewTexts(askTexts);
  if (lines.length === 0) return <Text role="status">{say('nothing')}</Text>;
  return (
    <>
      <Title order={2} size="h5">
        {say('told')}
      </Title>
      <ul className="lines">
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same
          <ToldLine key={at} line={line} />
        ))}
      </ul>
      {left_out.length > 0 && <Text size="sm">{say('left', { count: left_out.length })}</Text>}
    </>
  );
}

/** The day that a line begins with is told next to it. */
const DAY = /^\[\d{4}-\d\d-\d\d\]\s*/u;

function ToldLine({ line: { text, id, time, part } }: { readonly line: Line }) {
  const { language } = useTexts();
  const say = useViewTexts(askTexts);
  const shown = text.replace(DAY, '');
  const said = toConversation(shown);
  const details = [part === undefined ? undefined : say(part), toDay(time, language)];
  const source = toHash('memories', id === undefined ? { query: shown.slice(0, 200) } : { id: `note:${id}` });
  return (
    <li className="memory">
      <span className="told">
        {said.length > 0 ? <Bubbles said={said} /> : <span className="words">{shown}</span>}
        <small className="source">{details.filter((one) => one !== undefined).join(' · ')}</small>
      </span>
      <a href={source}>{say('wrong')}</a>
    </li>
  );
}
