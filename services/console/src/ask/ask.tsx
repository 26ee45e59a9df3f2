import { Button, Group, Loader, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useServer } from '../calls/session.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { useViewTexts } from '../i18n/view-texts.ts';
import { AddMemory } from '../memories/add-memory.tsx';
import { toConversation } from '../memories/conversation-text.ts';
import { toDay } from '../memories/memory.ts';
import { Bubbles } from '../memories/memory-words.tsx';
import { type Place, toHash } from '../route.ts';
import { toPersonas, useStatus } from '../servers/use-status.ts';
import { Problem } from '../shell/problem.tsx';
import { askTexts } from './texts.ts';
import { type BuiltPrompt, type PromptRequest, usePrompt } from './use-prompt.ts';
import { WholePrompt } from './whole-prompt.tsx';

/** What an assistant would get, why, and what is to be corrected about it; for administrators, the prompt itself. */
export default function Ask({ place }: { readonly place: Place }) {
  const { tell } = useTexts();
  const say = useViewTexts(askTexts);
  const { session } = useServer();
  const status = useStatus();
  const building = usePrompt();
  const isAdministrator = session.users === 'all';
  const [isOpen, setOpen] = useState(false);
  return (
    <Stack>
      <Title order={1} size="h3">
        {say('title')}
      </Title>
      <Text>{say('text')}</Text>
      <QuestionForm
        given={place.given}
        personas={status.data === undefined ? [] : toPersonas(status.data)}
        hasBudget={isAdministrator}
        isPending={building.isPending}
        onAsk={building.mutate}
      />
      <Problem error={status.error ?? building.error} />
      {status.isPending && <Loader aria-label={tell('wait')} />}
      {building.data !== undefined && <Included explanation={building.data.explanation} />}
      {session.scopes.includes('write') && building.data !== undefined && (
        <>
          <Title order={2} size="h5">
            {say('missing')}
          </Title>
          <AddMemory />
        </>
      )}
      {isAdministrator && building.data !== undefined && (
        <WholePrompt built={building.data} isOpen={isOpen} onToggle={setOpen} />
      )}
    </Stack>
  );
}

interface QuestionFormProps {
  readonly given: URLSearchParams;
  readonly personas: readonly string[];
  /** Whether the size of the prompt can be set. */
  readonly hasBudget: boolean;
  readonly isPending: boolean;
  readonly onAsk: (request: PromptRequest) => void;
}

function QuestionForm({ given, personas, hasBudget, isPending, onAsk }: QuestionFormProps) {
  const { tell } = useTexts();
  const say = useViewTexts(askTexts);
  const [persona, setPersona] = useState(given.get('persona') ?? '');
  const [question, setQuestion] = useState(given.get('question') ?? '');
  const [budget, setBudget] = useState('');
  const chosen = personas.includes(persona) ? persona : (personas[0] ?? '');
  const ask = (): void => {
    const maxTokens = Number.parseInt(budget, 10);
    onAsk({ persona: chosen, question, maxTokens: Number.isNaN(maxTokens) ? undefined : maxTokens });
  };
  useOnceKnown(question !== '', chosen !== '', ask);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        ask();
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
        {hasBudget && <BudgetField label={tell('prompt.budget')} value={budget} onChange={setBudget} />}
        <Button type="submit" loading={isPending} disabled={chosen === ''}>
          {say('look')}
        </Button>
      </Group>
    </form>
  );
}

/** Does once, as soon as it can, what an address with a question asks for. */
function useOnceKnown(isWanted: boolean, isKnown: boolean, act: () => void): void {
  const isToAct = useRef(isWanted);
  useEffect(() => {
    if (!isToAct.current || !isKnown) return;
    isToAct.current = false;
    act();
  });
}

interface BudgetFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function BudgetField({ label, value, onChange }: BudgetFieldProps) {
  return (
    <TextInput
      type="number"
      min={1}
      max={1_000_000}
      label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

type Line = BuiltPrompt['explanation']['lines'][number];

function Included({ explanation: { lines, left_out } }: Pick<BuiltPrompt, 'explanation'>) {
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
          <IncludedLine key={at} line={line} />
        ))}
      </ul>
      {left_out.length > 0 && <Text size="sm">{say('left', { count: left_out.length })}</Text>}
    </>
  );
}

/** The day that a line begins with is shown next to it. */
const DAY = /^\[\d{4}-\d\d-\d\d\]\s*/u;

function IncludedLine({ line: { text, id, time, part } }: { readonly line: Line }) {
  const { language } = useTexts();
  const say = useViewTexts(askTexts);
  const shown = text.replace(DAY, '');
  const said = toConversation(shown);
  const details = [part === undefined ? undefined : say(part), toDay(time, language)];
  const source = toHash('memories', id === undefined ? { words: shown.slice(0, 200) } : { id: `note:${id}` });
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
