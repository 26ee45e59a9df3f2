import { useQuery } from '@tanstack/react-query';
import type { ServerAnswer } from '../calls/operations.ts';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';

/** How the imports are known to the cache. */
export const IMPORTS = 'imports';

/** An import as the server lists it. */
export type Import = ServerAnswer<'list_imports'>['imports'][number];

/** How often imports under way are looked at, in milliseconds. */
const INTERVAL_MS = 1_000;

/** The user's imports, followed while one is under way. */
export function useImports() {
  const { callServer } = useServer();
  const { user } = useUser();
  return useQuery({
    queryKey: [IMPORTS, user],
    queryFn: ({ signal }) => callServer('list_imports', { user_id: user }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.imports.some((one) => one.state === 'running') === true ? INTERVAL_MS : false,
  });
}
