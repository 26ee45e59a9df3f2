import { expect, it } from '@jest/globals';
import { readServed } from '../src/serve.ts';

const all = (...args: string[]) => ({ service: 'single-process', args });

it.each([
  ['nothing, from a client', [], false, all()],
  ['nothing, at a terminal', [], true, undefined],
  ['the flag', ['--single-process', '--profile', 'chat'], false, all('--profile', 'chat')],
  ['no service', ['serve'], true, all()],
  ['flags alone', ['serve', '--http', '8010', '--config', 'a.json'], true, all('--http', '8010', '--config', 'a.json')],
  [
    'a service',
    ['serve', 'persona', '--persona', 'marlow'],
    true,
    { service: 'persona', args: ['--persona', 'marlow'] },
  ],
  ['the proxy', ['proxy', '--port', '0'], true, { service: 'proxy', args: ['--port', '0'] }],
  ['another command', ['status', '--json'], false, undefined],
  ['flags of the command', ['--json', 'status'], false, undefined],
])('reads %s', (_, args, isTerminal, expected) => {
  expect(readServed(args, isTerminal)).toEqual(expected);
});
