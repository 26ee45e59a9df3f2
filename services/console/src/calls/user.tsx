import { createContext, type ReactNode, useContext, useState } from 'react';
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
/** The user of a server that is for one, where nothing else is said. */
const DEFAULT_USER = 'default';
const MOST_KNOWN = 20;

/** Whose memory the page shows. */
export function useUser(): ChosenUser {
  const found = useContext(UserContext);
  if (found === undefined) throw new Error('no user around this component');
  return found;
}

function readKnown(): readonly string[] {
  const names = (localStorage.getItem(STORED) ?? '').split('\n').filter((name) => name !== '');
  return names.length > 0 ? names : [DEFAULT_USER];
}

/** Keeps whose memory is shown, the last one first. */
export function UserProvider({ children }: { readonly children: ReactNode }) {
  const { users } = useServer().session;
  const [recent, setRecent] = useState(readKnown);
  const isOpen = users === 'all';
  const known = isOpen ? recent : users;
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
