import { parseInput } from '@contextloom/contracts';
import type { Route } from '@contextloom/server-kit';

/**
 * Checks that the examples of the API reference are what the routes take and answer.
 * @throws ContextloomError `invalid`, naming the route and the field
 */
export function checkExamples<Deps>(routes: readonly Route<Deps>[]): void {
  for (const { method, path, params, body, answer, example } of routes) {
    if (example === undefined) continue;
    const name = `${method} ${path}`;
    parseInput(params, example.params ?? {}, [name, 'params']);
    parseInput(body, example.body, [name, 'body']);
    parseInput(answer, example.answer, [name, 'answer']);
  }
}
