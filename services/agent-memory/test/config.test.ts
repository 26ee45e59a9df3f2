import { resolve } from 'node:path';
import { readSettings } from '@contextloom/runtime';
import { describe, expect, it } from '@jest/globals';
import { agentMemorySettings } from '../src/config.ts';

const read = (env: Record<string, string>, flags: Record<string, string>) =>
  readSettings(agentMemorySettings, env, { flags });

describe('the folder of the workspace', () => {
  it('is that of the command line, which may be relative, before that of the environment', () => {
    const { values, sources } = read({ AGENT_MEMORY_WORKSPACE: '/home/ann/agent' }, { workspace: './my-agent' });
    expect(values.workspace).toBe(resolve('my-agent'));
    expect(sources.workspace).toEqual({ flag: '--workspace' });
  });

  it('is refused by name where it is no folder, or another for whoever starts the server', () => {
    expect(() => read({}, { workspace: '' })).toThrow('--workspace must be a folder');
    expect(() => read({ AGENT_MEMORY_WORKSPACE: 'agent' }, {})).toThrow(
      'AGENT_MEMORY_WORKSPACE must be an absolute path',
    );
  });
});
