import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { toCode, toCurl } from '../src/ask/as-code.ts';
import { parseHash, toHash } from '../src/route.ts';

describe('the address of a room', () => {
  it.each(['Why "this" & that?', '芒果 #1?', ''])('brings along %j', (question) => {
    const { page, given } = parseHash(toHash('ask', { question }));
    expect([page, given.get('question')]).toEqual(['ask', question]);
  });

  it('of the former page of prompts leads to that for questions', () => {
    const { page, given } = parseHash('#prompt?persona=marlow&question=honey');
    expect([page, given.get('persona'), given.get('question')]).toEqual(['ask', 'marlow', 'honey']);
  });

  it.each(['', '#', '#none', '#constructor'])('of %j leads home', (hash) => {
    expect(parseHash(hash).page).toBe('home');
  });
});

describe('a prompt to take along', () => {
  const args = { persona_name: 'marlow', user_id: "o'hara", user_query: 'It\'s $HOME `id`; "or" not\nyet?' };

  it('is one command for a shell, whatever the words', () => {
    const command = toCurl(args, 'http://127.0.0.1:8010/mcp').replace(/^curl/, 'printf "%s\\n"');
    const words = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trimEnd().split('\n');
    expect(words[0]).toBe('http://127.0.0.1:8010/mcp');
    expect(JSON.parse(words.at(-1) ?? '').params).toMatchObject({ name: 'build_prompt_with_context', arguments: args });
  });

  it('is code with the same arguments', () => {
    const [, given = ''] = /arguments: (\{[^}]*\})/.exec(toCode(args, 'http://127.0.0.1:8010/mcp')) ?? [];
    expect(JSON.parse(given)).toEqual(args);
  });
});
