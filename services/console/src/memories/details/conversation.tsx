import type { JsonObject } from '@contextloom/contracts';
import { List, Loader, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useCallback } from 'react';
import { useServer } from '../../calls/session.tsx';
import { useUser } from '../../calls/user.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { Problem } from '../../shell/problem.tsx';
import { toDay } from '../memory.ts';
import { Bubbles } from '../memory-words.tsx';
import { MEMORIES } from '../use-memories.ts';
import { toStoredConversation, type Window } from './stored-conversation.ts';
import { toFields, type WholeMemory } from './use-whole.ts';

/** Most parts of a conversation that are shown. */
const MOST_PARTS = 200;

/** The conversation that a memory came from, open at its turn, and the facts drawn from there; nothing for other memories. */
export function Conversation({ whole }: { readonly whole: WholeMemory }) {
  const { id, details } = whole;
  const { tell, language } = useTexts();
  const { callServer, offers } = useServer();
  const { user } = useUser();
  const { transcript, title, session, turns } = toFields(details['metadata']);
  const result = useQuery({
    queryKey: [MEMORIES, user, 'conversation', transcript, session],
    queryFn: ({ signal }) => {
      const metadata_filter = { user_id: user, transcript, ...(session !== undefined && { session }) } as JsonObject;
      return callServer('list_documents', { metadata_filter, sort: 'oldest', limit: MOST_PARTS }, { signal });
    },
    enabled: offers('list_documents') && typeof transcript === 'string',
  });
  if (typeof transcript !== 'string') return null;
  const { windows, facts } = toStoredConversation(result.data?.documents ?? [], turns);
  const others = facts.filter((fact) => `note:${fact.id}` !== id);
  return (
    <>
      <Title order={3} size="h5">
        {tell('memory.conversation')}
      </Title>
      <Text size="sm" className="words">
        {typeof title === 'string' ? title : toDay(whole.time, language)}
      </Text>
      <Problem error={result.error} />
      {result.isLoading && <Loader aria-label={tell('wait')} />}
      {windows.length > 0 && <Turns windows={windows} />}
      {others.length > 0 && (
        <>
          <Title order={3} size="h5">
            {tell('memory.drawn')}
          </Title>
          <List>
            {others.map((fact) => (
              <List.Item key={fact.id} className="words">
                {fact.content}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </>
  );
}

function Turns({ windows }: { readonly windows: readonly Window[] }) {
  const { tell, language } = useTexts();
  const jump = useCallback((line: HTMLElement | null) => {
    // Within its own box alone: the text of the memory stays in sight.
    const box = line?.parentElement;
    if (line !== null && box instanceof HTMLElement) box.scrollTop = line.offsetTop - box.offsetTop;
  }, []);
  const parts = windows.map(({ id, lines, correction }) => ({
    id,
    correction,
    lines: lines.map((line, at) => ({ ...line, key: `${id} ${at}` })),
  }));
  const first = parts.flatMap(({ lines }) => lines).find(({ isHere }) => isHere)?.key;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who uses no mouse scrolls it with the keys
    <section className="turns" aria-label={tell('memory.conversation')} tabIndex={0}>
      {parts.map(({ id, lines, correction }) => (
        <Fragment key={id}>
          {lines.map(({ key, said, text, isHere }) => (
            <p key={key} className="turn" aria-current={isHere ? 'true' : undefined} ref={key === first ? jump : null}>
              {said === undefined ? (toDay(text.slice(1, -1), language) ?? text) : <Bubbles said={[said]} />}
            </p>
          ))}
          {correction !== undefined && (
            <p className="words correction">
              <strong>{tell('memory.correction')}</strong> {correction}
            </p>
          )}
        </Fragment>
      ))}
    </section>
  );
}
