import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { DEFAULT_USER, toFirstUser } from './first-user.ts';
import { useServer } from './session.tsx';

interface ChosenUser {
  /** Whose memory is shown. */
  readonly user: string;
  readonly choose: (user: string) => void;
  /** The users that can be chosen: those of the key, or those that were shown before. */
  readonly known: readonly string[];
  /** Whether any other name may be typed. */
  readonly isOpen: boolean;
}

const UserContext = createContext<ChosenUser | undefined>(undefined);
const STORED = 'contextloom.users';
const MOST_KNOWN = 20;

/** Whose memory the page shows. */
export function useUser(): ChosenUser {
  const found = useContext(UserContext);
  if (found === undefined) throw new Error('no user around this component');
  return found;
}

/** How long the page waits to learn who has memories before it opens. */
const MOST_WAITED_MS = 10_000;

const readRecent = (): readonly string[] =>
  (localStorage.getItem(STORED) ?? '').split('\n').filter((name) => name !== '');

/** Keeps whose memory is shown, the last one first. */
export function UserProvider({ children, waiting }: { readonly children: ReactNode; readonly waiting: ReactNode }) {
  const { session, call } = useServer();
  const [recent] = useState(readRecent);
  const isOpen = session.users === 'all';
  const mayAsk = isOpen && recent.length === 0 && session.scopes.includes('admin');
  const result = useQuery({
    queryKey: ['first user'],
    queryFn: ({ signal }) =>
      call('list_users', {}, { signal: AbortSignal.any([signal, AbortSignal.timeout(MOST_WAITED_MS)]) }),
    enabled: mayAsk,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (mayAsk && result.isPending) return waiting;
  const listed = result.data === undefined ? DEFAULT_USER : toFirstUser(result.data);
  const first = session.users === 'all' ? (recent.length > 0 ? recent : [listed]) : session.users;
  return (
    <ChosenUserProvider first={first} isOpen={isOpen}>
      {children}
    </ChosenUserProvider>
  );
}

interface ChosenUserProps {
  readonly children: ReactNode;
  /** Those to choose from when the page opens; the first is shown. */
  readonly first: readonly string[];
  readonly isOpen: boolean;
}

function ChosenUserProvider({ children, first, isOpen }: ChosenUserProps) {
  const [recent, setRecent] = useState(first);
  const known = isOpen ? recent : first;
  const [chosen, setChosen] = useState(known[0]);
  const choose = (user: string): void => {
    setChosen(user);
    if (!isOpen) return;
    const next = [user, ...recent.filter((name) => name !== user)].slice(0, MOST_KNOWN);
    localStorage.setItem(STORED, next.join('\n'));
    setRecent(next);
  };
  return <UserContext value={{ user: chosen ?? DEFAULT_USER, choose, known, isOpen }}>{children}</UserContext>;
}
