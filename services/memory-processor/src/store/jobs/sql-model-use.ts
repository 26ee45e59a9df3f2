import type { ModelUse } from '../../domain/budget/model-budget.ts';
import type { SqlDatabase } from '../sql/sql-database.ts';

/** Counts what the model takes in the database of the jobs, the same statements in both engines. */
export function createSqlModelUse({ query }: Pick<SqlDatabase, 'query'>): ModelUse {
  return {
    // One statement: two processes that count at the same moment both count.
    add: async (day, { calls, inputTokens, outputTokens }, dollars) => {
      await query(
        `INSERT INTO model_use (day, calls, input_tokens, output_tokens, dollars) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (day) DO UPDATE SET calls = model_use.calls + excluded.calls,
           input_tokens = model_use.input_tokens + excluded.input_tokens,
           output_tokens = model_use.output_tokens + excluded.output_tokens,
           dollars = model_use.dollars + excluded.dollars`,
        [day, calls, inputTokens, outputTokens, dollars],
      );
    },
    of: async (day) => {
      const [row] = await query<{ tokens: number; dollars: number }>(
        'SELECT input_tokens + output_tokens AS tokens, dollars FROM model_use WHERE day = $1',
        [day],
      );
      return row ?? { tokens: 0, dollars: 0 };
    },
  };
}
