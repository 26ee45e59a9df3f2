import { z } from 'zod';

/** Numbers in short, in an answer; null when there are none. */
export const numbersAnswer = z
  .object({ count: z.int(), sum: z.number(), average: z.number(), min: z.number(), max: z.number() })
  .nullable();
