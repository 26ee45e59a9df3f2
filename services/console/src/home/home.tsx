import { Loader, Stack, Title } from '@mantine/core';
import { useServer } from '../calls/session.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { AddMemory } from '../memories/add-memory.tsx';
import { toLine } from '../memories/conversation-text.ts';
import { type Memory, toDay } from '../memories/memory.ts';
import { toHash } from '../route.ts';
import { Problem } from '../shell/problem.tsx';
import { Start } from '../start/start.tsx';
import { useEntities } from '../things/use-entities.ts';
import { useHome } from './use-home.ts';

/** How many people and things are named. */
const MOST_THINGS = 12;

/** The first room: what is known of the person, each line leading to where it comes from. */
export function Home() {
  const { tell } = useTexts();
  const { session } = useServer();
  const asked = useHome();
  const { data: entities = [] } = useEntities();
  const { profile = [], coming = [], latest = [], past = [] } = asked.data ?? {};
  const isEmpty = asked.isSuccess && [profile, coming, latest, entities].every(({ length }) => length === 0);
  return (
    <Stack>
      <Title order={1} size="h3">
        {tell('home.title')}
      </Title>
      <Problem error={asked.error} onRetry={() => void asked.refetch()} />
      {asked.isPending && <Loader aria-label={tell('wait')} />}
      {isEmpty && <Start />}
      <Lines title={tell('home.profile')} memories={profile} hasDays={false} />
      {entities.length > 0 && (
        <section>
          <Title order={2} size="h5">
            {tell('room.things')}
          </Title>
          <ul className="names">
            {entities.slice(0, MOST_THINGS).map(({ id, name }) => (
              <li key={id}>
                <a className="words" href={toHash('things', { entity: String(id) })}>
                  {name ?? tell('things.unnamed')}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Lines title={tell('home.coming')} memories={coming} />
      <Lines title={tell('home.past')} memories={past} />
      <Lines title={tell('home.latest')} memories={latest} />
      {session.scopes.includes('write') && <AddMemory />}
    </Stack>
  );
}

interface LinesProps {
  readonly title: string;
  readonly memories: readonly Memory[];
  readonly hasDays?: boolean;
}

function Lines({ title, memories, hasDays = true }: LinesProps) {
  const { language } = useTexts();
  if (memories.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h5">
        {title}
      </Title>
      <ul className="lines">
        {memories.map(({ id, text, time }) => (
          <li key={id}>
            <a href={toHash('memories', { id })}>
              <span className="words clip">{toLine(text)}</span>
              {hasDays && <small>{toDay(time, language)}</small>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
