import { Button, Loader } from '@mantine/core';
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { ServerProvider, useServer } from './calls/session.tsx';
import { UserProvider, useUser } from './calls/user.tsx';
import { Home } from './home/home.tsx';
import { useTexts } from './i18n/texts.tsx';
import {
  adminPages,
  isOfAdministration,
  type Page,
  type Place,
  parseHash,
  personPages,
  toEntry,
  toHash,
} from './route.ts';
import { Away, SignIn } from './shell/signed-out.tsx';
import { UserField } from './shell/user-field.tsx';

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

/** Where the reader is now. */
function usePlace(): Place {
  return parseHash(useSyncExternalStore(subscribe, () => location.hash));
}

const views: Readonly<Record<Exclude<Page, 'home'>, React.ComponentType<{ readonly place: Place }>>> = {
  memories: lazy(() => import('./memories/memories.tsx')),
  things: lazy(() => import('./things/things.tsx')),
  ask: lazy(() => import('./ask/ask.tsx')),
  you: lazy(() => import('./you/you.tsx')),
  conversations: lazy(() => import('./conversations/conversations.tsx')),
  decisions: lazy(() => import('./decisions/decisions.tsx')),
  users: lazy(() => import('./users/users.tsx')),
  keys: lazy(() => import('./keys/keys.tsx')),
  servers: lazy(() => import('./servers/servers.tsx')),
  activity: lazy(() => import('./activity/activity.tsx')),
};

/** The page: who reads, whose memory it is, and the page that is open. */
export function App() {
  const { tell } = useTexts();
  const waiting = <Loader m="xl" aria-label={tell('wait')} />;
  return (
    <ServerProvider
      waiting={waiting}
      renderSignIn={(signIn) => <SignIn onSignIn={signIn} />}
      renderAway={(problem, { retry, signOut }) => <Away problem={problem} onRetry={retry} onSignOut={signOut} />}
    >
      <UserProvider waiting={waiting}>
        <Shell />
      </UserProvider>
    </ServerProvider>
  );
}

function Shell() {
  const { tell } = useTexts();
  const { session, signOut } = useServer();
  const requested = usePlace();
  const mayAdminister = session.users === 'all';
  const place: Place =
    isOfAdministration(requested.page) && !mayAdminister ? { ...requested, page: 'home' } : requested;
  const current = toEntry(place.page);
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={focusMain}>
        {tell('skip')}
      </button>
      <header className="head">
        <strong>Contextloom</strong>
        <span className="grow" />
        <UserField />
        {session.asked && (
          <Button variant="default" onClick={signOut}>
            {tell('signOut')}
          </Button>
        )}
      </header>
      <nav className="pages" aria-label={tell('menu')}>
        <Entries pages={personPages} current={current} />
        {mayAdminister && (
          <details open={isOfAdministration(current) || undefined}>
            <summary>{tell('administration')}</summary>
            <Entries pages={adminPages} current={current} />
          </details>
        )}
      </nav>
      <main className="page" id="main" tabIndex={-1}>
        <OpenRoom place={place} />
      </main>
    </div>
  );
}

function Entries({ pages, current }: { readonly pages: readonly Page[]; readonly current: Page }) {
  const { tell } = useTexts();
  return (
    <ul>
      {pages.map((page) => (
        <li key={page}>
          <a href={toHash(page)} aria-current={page === current ? 'page' : undefined}>
            {tell(`page.${page}`)}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The address names the page, so the way to the content is a button. */
function focusMain(): void {
  document.getElementById('main')?.focus();
}

function OpenRoom({ place }: { readonly place: Place }) {
  const { tell } = useTexts();
  const { user } = useUser();
  const { page } = place;
  useEffect(() => {
    document.title = `${tell(`page.${page}`)} – Contextloom`;
  }, [tell, page]);
  // Another user is another page: nothing that was typed or shown stays.
  if (page === 'home') return <Home key={user} />;
  const View = views[page];
  return (
    <Suspense fallback={<Loader aria-label={tell('wait')} />}>
      <View key={`${page} ${user}`} place={place} />
    </Suspense>
  );
}
