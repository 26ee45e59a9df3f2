import { useSyncExternalStore } from 'react';
import { type Place, parseHash } from '../route.ts';

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

/** Where the reader is now. */
export function usePlace(): Place {
  return parseHash(useSyncExternalStore(subscribe, () => location.hash));
}
