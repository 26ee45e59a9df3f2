import { Loader, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Input } from '../calls/operations.ts';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { AddMemory } from '../memories/add-memory.tsx';
import { toLine } from '../memories/conversation-text.ts';
import { toIsoDay, toOtherYears } from '../memories/days.ts';
import { type Memory, toDay } from '../memories/memory.ts';
import { MEMORIES } from '../memories/use-memories.ts';
import { toHash } from '../route.ts';
import { Problem } from '../shell/problem.tsx';
import { Start } from '../start/start.tsx';
import { useEntities } from '../things/use-entities.ts';
import { toProfileLine } from './attributes.ts';

const DAY_MS = 86_400_000;

/** What has a place of its own on the page is not among the latest: the profile, people and things. */
const LATEST = ['note', 'event', 'typed', 'agent'] as const;
const MOST_LATEST = 8;

/** What the first page tells: who one is, what comes, what was last, and this day in other years. */
function useHome() {
  const { call } = useServer();
  const { user } = useUser();
  const today = toIsoDay(new Date());
  return useQuery({
    queryKey: [MEMORIES, user, 'home', today],
    queryFn: async ({ signal }) => {
      const list = async (fields: Omit<Input<'list_memories'>, 'user_id'>) =>
        (await call('list_memories', { user_id: user, order: 'newest', ...fields }, { signal })).memories;
      const tomorrow = toIsoDay(new Date(Date.now() + DAY_MS));
      const [profile, coming, latest, ...past] = await Promise.all([
        list({ kind: 'fact', limit: 20 }),
        list({ kind: 'event', time_range: `${tomorrow}..`, limit: 20 }),
        Promise.all(LATEST.map((kind) => list({ kind, time_range: `..${today}`, limit: MOST_LATEST }))),
        ...toOtherYears(today).map((day) => list({ time_range: `${day}..${day}`, limit: 3 })),
      ]);
      return {
        profile,
        coming: coming.toReversed(),
        latest: latest
          .flat()
          .toSorted((one, other) => (other.time ?? '').localeCompare(one.time ?? ''))
          .slice(0, MOST_LATEST),
        past: past.flat(),
      };
    },
  });
}

/** How many people and things are named. */
const MOST_THINGS = 12;

/** The first page: what is known of the person, each line leading to where it comes from. */
export function Home() {
  const { tell } = useTexts();
  const { session } = useServer();
  const result = useHome();
  const { data: listed = [] } = useEntities();
  const entities = listed.filter(({ status }) => status === 'active');
  const { profile = [], coming = [], latest = [], past = [] } = result.data ?? {};
  const isEmpty = result.isSuccess && [profile, coming, latest, entities].every(({ length }) => length === 0);
  return (
    <Stack>
      <Title order={1} size="h3">
        {tell('home.title')}
      </Title>
      <Problem error={result.error} onRetry={() => void result.refetch()} />
      {result.isPending && <Loader aria-label={tell('wait')} />}
      {isEmpty && <Start />}
      <Lines title={tell('home.profile')} memories={profile} hasDays={false} />
      {entities.length > 0 && (
        <section>
          <Title order={2} size="h5">
            {tell('page.things')}
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
        {memories.map((memory) => (
          <li key={memory.id}>
            <a href={toHash('memories', { id: memory.id })}>
              <span className="words clip">{toLine(toProfileLine(memory, language))}</span>
              {hasDays && <small>{toDay(memory.time, language)}</small>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
