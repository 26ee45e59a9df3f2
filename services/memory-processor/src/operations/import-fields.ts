import type { MemoryProcessorContract } from '@contextloom/contracts/memory-processor';
import type { z } from 'zod';
import type { ImportOrder } from '../imports/import-service.ts';

/** What the desk takes of it; what is absent stays absent. */
export const toOrder = ({
  user_id: userId,
  ...order
}: z.output<MemoryProcessorContract['start_import']['input']>): ImportOrder => ({
  userId,
  ...order,
});

/** The same call as references show it. */
export const exampleOrder = { user_id: 'ann', upload: '3f0c2a52-6f8e-4b53-9d0e-6a1f0b7c9d11', me: ['Ann'] };
