import { useQuery } from '@tanstack/react-query';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';

/** How the imports are known to the cache. */
export const IMPORTS = 'imports';

/** An import as the server lists it. */
export interface Import {
  readonly id: string;
  readonly sources: readonly string[];
  readonly state: 'running' | 'done' | 'stopped' | 'undone' | 'cut_off';
  readonly started_at: string;
  readonly conversations: number;
  readonly saved: number;
  readonly failed: number;
  readonly failures: readonly { readonly title: string; readonly reason: string }[];
  readonly progress?: { readonly done: number; readonly total: number };
}

/** How often imports under way are looked at, in milliseconds. */
const INTERVAL_MS = 1_000;

/** The user's imports, followed while one is under way. */
export function useImports() {
  const { call, findTool } = useServer();
  const { user } = useUser();
  return useQuery({
    queryKey: [IMPORTS, user],
    queryFn: ({ signal }) => {
      const tool = findTool('list_imports') ?? 'list_imports';
      return call<{ readonly imports: readonly Import[] }>(tool, { user_id: user }, { signal });
    },
    refetchInterval: ({ state }) =>
      state.data?.imports.some((one) => one.state === 'running') === true ? INTERVAL_MS : false,
  });
}
