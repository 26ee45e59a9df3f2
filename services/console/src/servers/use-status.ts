import type { ServiceStatus } from '@contextloom/contracts';
import { useQuery } from '@tanstack/react-query';
import { useServer } from '../calls/session.tsx';

/** How the state of the servers is known to the cache. */
export const STATUS = ['status'];

/** Asks which servers of the composition answer. */
export function useStatus() {
  const { call } = useServer();
  return useQuery({
    queryKey: STATUS,
    queryFn: ({ signal }) => call('get_service_status', {}, { signal }),
  });
}

const PERSONA = 'persona-';

/** The names of the personas among the servers. */
export const toPersonas = ({ components }: ServiceStatus): readonly string[] =>
  Object.keys(components)
    .filter((server) => server.startsWith(PERSONA))
    .map((server) => server.slice(PERSONA.length));
