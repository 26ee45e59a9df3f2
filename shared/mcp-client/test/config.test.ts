import { readSettings, setting, toPrintableSettings } from '@contextloom/runtime';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { parseMcpConfig } from '../src/composition/config.ts';

const options = { env: { KB_URL: 'http://127.0.0.1:8000', EMPTY: '' }, baseDir: '/srv/app', file: 'mcp_config.json' };
const parse = (config: unknown) => parseMcpConfig(JSON.stringify(config), options);

describe('a composition file', () => {
  it('expands variables and starts relative folders at its own', () => {
    const { servers, aggregator } = parse({
      mcpServers: {
        a: {
          command: 'node',
          args: ['${KB_URL}/x', '${env:KB_URL}'],
          env: { U: '${NOT_SET:-}', V: '${EMPTY:-d}' },
          cwd: 'sub',
        },
        b: {
          url: '${KB_URL}/mcp',
          headers: { Authorization: 'Bearer ${NOT_SET:-none}' },
          timeoutMs: 500,
          concurrency: 2,
        },
        c: { command: 'x', disabled: true },
      },
      aggregator: { source_deadline_ms: 1 },
    });
    expect(servers).toEqual({
      a: {
        command: 'node',
        args: ['http://127.0.0.1:8000/x', 'http://127.0.0.1:8000'],
        env: { U: '', V: 'd' },
        cwd: '/srv/app/sub',
      },
      b: {
        url: 'http://127.0.0.1:8000/mcp',
        headers: { Authorization: 'Bearer none' },
        timeoutMs: 500,
        concurrency: 2,
      },
    });
    expect(aggregator).toEqual({ source_deadline_ms: 1 });
  });

  it('may be one of VS Code, with comments', () => {
    const text = `{
      // of an editor
      "servers": { "a": { "type": "http", "url": "http://127.0.0.1:1/mcp" }, "b": { "type": "stdio", "command": "x", }, },
      "inputs": [],
    }`;
    const { servers } = parseMcpConfig(text, options);
    expect(servers).toEqual({
      a: { url: 'http://127.0.0.1:1/mcp', headers: {} },
      b: { command: 'x', args: [], env: {}, cwd: '/srv/app' },
    });
  });

  it('may have an entry that is switched off and unfinished', () => {
    expect(parse({ mcpServers: { a: { disabled: true, command: 5 } } }).servers).toEqual({});
  });

  it.each([
    ['{\n  "a": }', 'mcp_config.json is not valid JSON: ValueExpected at line 2, column 8'],
    ['{}', 'mcp_config.json needs "mcpServers", an object with an entry for each server'],
    [
      '{"mcpServers":{"a":{"command":"x"}},"servers":{"a":{"command":"y"}}}',
      'mcp_config.json has "a" in both mcpServers and servers: keep one of them',
    ],
    [
      '{"mcpServers":{"a":{"command":"x","url":"http://x"}}}',
      'mcp_config.json.mcpServers.a has both, and takes one: a "command" (stdio) or a "url" (HTTP)',
    ],
    ['{"servers":{"a":{"url":"ftp://x"}}}', 'mcp_config.json.servers.a.url must be an http or https address'],
    [
      '{"servers":{"a":{"url":"http://x","headers":{"A":"${input:key}"}}}}',
      'mcp_config.json: servers.a uses ${input:key}, which an editor asks a person for: use an environment variable, such as ${API_KEY}',
    ],
    [
      '{"mcpServers":{"a":{"command":"x","disabled":"yes"}}}',
      'mcp_config.json.mcpServers.a.disabled must be boolean, received string',
    ],
    ['{"mcpServers":{"a":{}}}', 'mcp_config.json.mcpServers.a needs a "command" (stdio) or a "url" (HTTP)'],
    [
      '{"mcpServers":{"a":{"command":"x","args":[1]}}}',
      'mcp_config.json.mcpServers.a.args[0] must be string, received number',
    ],
    [
      '{"mcpServers":{"a":{"command":"x","concurrency":0}}}',
      'mcp_config.json.mcpServers.a.concurrency must be at least 1',
    ],
    [
      '{"mcpServers":{"a":{"command":"${NOT_SET}"}}}',
      'mcp_config.json: mcpServers.a uses ${NOT_SET}, which is not set in the environment',
    ],
  ])('that is wrong is refused with a message that names the place: %s', (text, message) => {
    expect(() => parseMcpConfig(text, options)).toThrow(expect.objectContaining({ code: 'invalid', message }));
  });
});

describe('settings', () => {
  const settings = {
    port: setting({ env: ['PORT'], schema: z.coerce.number().int().max(65_535), default: 8000, description: 'A port' }),
    key: setting({ env: ['KEY', 'OTHER_KEY'], schema: z.string(), secret: true, description: 'A key' }),
  };

  it('know where each value came from', () => {
    const loaded = readSettings(settings, { OTHER_KEY: ' s3cret ' });
    expect(loaded.values).toEqual({ port: 8000, key: 's3cret' });
    expect(loaded.sources).toEqual({ port: 'default', key: { env: 'OTHER_KEY' } });
    expect(JSON.stringify(toPrintableSettings(settings, loaded))).not.toContain('s3cret');
  });

  it('count empty values and references that the client did not expand as absent', () => {
    expect(readSettings(settings, { PORT: '  ', KEY: '${KEY:-}' }).values).toEqual({ port: 8000, key: undefined });
  });

  it('name the variable that is wrong', () => {
    expect(() => readSettings(settings, { PORT: '99999' })).toThrow(
      'PORT must be at most 65535 (environment variable PORT)',
    );
    expect(() => readSettings(settings, { PORT: 'abc' })).toThrow('PORT must be number');
  });

  it('take a flag before the environment, that before the configuration file, and that before the default', () => {
    const both = {
      path: setting({
        env: ['DB_PATH'],
        flag: { name: 'db-path', type: 'string' },
        file: ['database', 'path'],
        schema: z.string(),
        default: 'memory.db',
        description: 'The file',
      }),
    };
    const file = { database: { path: 'of the file' } };
    const env = { DB_PATH: 'of the environment' };
    const read = (...args: [Record<string, string>, object]) => {
      const { values, sources } = readSettings(both, ...args);
      return [values.path, sources.path];
    };
    expect(read(env, { flags: { 'db-path': 'of the flag' }, file })).toEqual(['of the flag', { flag: '--db-path' }]);
    expect(read(env, { flags: {}, file })).toEqual(['of the environment', { env: 'DB_PATH' }]);
    expect(read({}, { flags: {}, file })).toEqual(['of the file', { file: 'database.path' }]);
    expect(read({}, { file: { database: { path: null } } })).toEqual(['memory.db', 'default']);
    expect(read({}, { file: 'no object' })).toEqual(['memory.db', 'default']);
  });

  it('read a flag by a schema of its own where it has one', () => {
    const schema = z.string().refine((text) => text.startsWith('/'), 'must be an absolute path');
    const one = {
      folder: setting({
        env: ['FOLDER'],
        flag: { name: 'folder', type: 'string', schema: z.string().transform((text) => `/here/${text}`) },
        schema,
        description: 'A folder',
      }),
    };
    expect(readSettings(one, {}, { flags: { folder: 'mine' } }).values).toEqual({ folder: '/here/mine' });
    expect(() => readSettings(one, { FOLDER: 'mine' })).toThrow('FOLDER must be an absolute path');
  });

  it('name the flag or the key of the configuration file that is wrong', () => {
    const one = {
      count: setting({
        env: ['COUNT'],
        flag: { name: 'count', type: 'string' },
        file: ['a', 'count'],
        schema: z.coerce.number('must be a number'),
        description: 'A number',
      }),
    };
    expect(() => readSettings(one, {}, { flags: { count: 'x' } })).toThrow('--count must be a number');
    expect(() => readSettings(one, {}, { file: { a: { count: 'x' } } })).toThrow(
      'a.count must be a number (configuration file)',
    );
    expect(readSettings(one, {}, { file: { a: { count: 3 } } }).values.count).toBe(3);
  });
});
