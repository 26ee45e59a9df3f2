import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toHome } from '../fixtures/home.ts';
import { spawnCli } from '../fixtures/spawn-cli.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-import-'));
  const args = [fileURLToPath(new URL('../../../knowledge-base/dist/server.js', import.meta.url))];
  const entry = { command: process.execPath, args, env: { KB_DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' } };
  await writeFile(join(folder, 'mcp_config.json'), JSON.stringify({ mcpServers: { 'knowledge-base': entry } }));
  await writeFile(
    join(folder, 'WhatsApp Chat with Ben.txt'),
    '25/12/2023, 14:03 - Ann: I am allergic to walnuts\n25/12/2023, 14:04 - Ben: <Media omitted>\n25/12/2023, 14:05 - Ben: noted\n',
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = async (...words: readonly string[]) => {
  const cli = spawnCli(['--config', join(folder, 'mcp_config.json'), ...words], {
    ...toHome(folder),
    MEMORY_PROCESSOR_DATA_DIR: join(folder, 'journal'),
  });
  const code = await cli.ended;
  return { code, stdout: cli.stdout(), stderr: cli.stderr() };
};

describe('contextloom import', () => {
  const file = (): string => join(folder, 'WhatsApp Chat with Ben.txt');

  it('shows what is in a file, refuses a name that nobody has, imports, lists, and takes back', async () => {
    const shown = await run('import', file(), '--user', 'ann', '--dry-run');
    expect(shown).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /format {9}WhatsApp chat[\s\S]*speakers {7}Ann \(1\), Ben \(1\)[\s\S]*Nothing was sent or saved/u,
      ),
    });
    expect(shown.stdout.split('\n').every((line) => line.startsWith(folder) || line.length <= 80)).toBe(true);
    expect(await run('import', file(), '--user', 'ann', '--me', 'Zoe')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nobody in it is called "Zoe"; there are: "Ann", "Ben"'),
    });
    const { code, stdout } = await run('import', file(), '--user', 'ann', '--me', 'Ann', '--json');
    expect(code).toBe(0);
    const answer = JSON.parse(stdout) as { import: { id: string } };
    expect(answer).toMatchObject({
      success: true,
      import: { saved: 1, failed: 0 },
      previews: [
        {
          turns: 2,
          speakers: [
            { name: 'user', turns: 1, is_user: true },
            { name: 'Ben', turns: 1, is_user: false },
          ],
          left_out: { media: 1 },
        },
      ],
    });
    expect((await run('imports')).stdout).toContain(`${answer.import.id}  `);
    expect((await run('imports', 'undo', answer.import.id)).stdout).toContain('is taken back: 1 memory of ann removed');
    expect((await run('imports')).stdout).toContain('taken back');
  });

  it('is what remember does with what one call cannot carry', async () => {
    const gbk = join(folder, 'gbk.txt');
    // 小明: 你好 and 李四: 在 in GBK.
    await writeFile(gbk, Buffer.from('d0a1c3f73a20c4e3bac30a c0eecbc43a20d4da0a'.replaceAll(' ', ''), 'hex'));
    const { code, stdout } = await run('remember', gbk, '--user', 'bo', '--transcript', 'tea', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      previews: [{ encodings: ['gb18030'], turns: 2, speakers: [{ name: '小明' }, { name: '李四' }] }],
      import: { saved: 1, failed: 0 },
    });
  });

  it('without --user is called wrongly', async () => {
    expect(await run('import', file())).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("required option '--user <id>'"),
    });
  });
});
