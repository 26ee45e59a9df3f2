import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseMcpConfig } from '../src/composition/config.ts';
import { readEnvFile } from '../src/composition/env-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom env 中文-'));
});
afterAll(() => rm(folder, { recursive: true }));

const lines = [
  'FIRST=1',
  '# a comment',
  'QUOTED="two words"',
  'export EXPORTED=3',
  'EMPTY=',
  'FOLDER=C:\\Users\\安\\new',
];
const expected = { FIRST: '1', QUOTED: 'two words', EXPORTED: '3', EMPTY: '', FOLDER: 'C:\\Users\\安\\new' };

describe('files that people write in any editor', () => {
  it.each([
    ['the line ends of Unix', '', '\n'],
    ['the line ends of Windows', '', '\r\n'],
    ['a byte order mark', '\uFEFF', '\r\n'],
  ])('.env with %s', async (_name, mark, eol) => {
    await writeFile(join(folder, '.env'), `${mark}${lines.join(eol)}${eol}`);
    expect({ ...readEnvFile(join(folder, 'mcp_config.json'))?.variables }).toEqual(expected);
  });

  it('mcp_config.json with the line ends of Windows, a byte order mark, comments and paths of Windows', () => {
    const text = `\uFEFF{
  // a comment
  "mcpServers": {
    "notes": { "command": "C:\\\\Program Files\\\\notes.exe", "args": ["--file", "C:\\\\Users\\\\安\\\\new.md"], "env": { "A": "\${A}" } },
  },
}`.replaceAll('\n', '\r\n');
    const { servers } = parseMcpConfig(text, { env: { A: 'x' }, baseDir: folder, file: 'mcp_config.json' });
    expect(servers['notes']).toMatchObject({
      command: 'C:\\Program Files\\notes.exe',
      args: ['--file', 'C:\\Users\\安\\new.md'],
      env: { A: 'x' },
    });
  });
});
