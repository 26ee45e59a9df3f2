import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createFolder, type Folder } from './support/memory.ts';
import { saveSeed } from './support/seed.ts';

const toServer = (service: string) => fileURLToPath(new URL(`../../${service}/dist/server.js`, import.meta.url));
const today = new Date().toISOString().slice(0, 10);

let folder: Folder;
let client: Client;

/** The composition that the README shows, of real servers, each a process of its own. */
async function compose(source: Record<string, unknown>): Promise<void> {
  const toEntry = (service: string, args: readonly string[], env = {}) => ({
    command: process.execPath,
    args: [toServer(service), ...args],
    env: { LOG_LEVEL: 'error', ...env },
  });
  const file = join(folder.root, 'mcp_config.json');
  const composition = {
    mcpServers: {
      'persona-workspace': toEntry('persona', ['--personas', folder.root, '--persona', 'workspace']),
      'agent-memory': toEntry('agent-memory', ['--workspace', folder.workspace], {
        AGENT_MEMORY_DATA_DIR: join(folder.root, 'data'),
        AGENT_MEMORY_TIMEZONE: 'UTC',
        AGENT_MEMORY_USER_ID: '张三',
      }),
    },
    aggregator: { source_deadline_ms: 25_000 },
    contextSources: [source],
  };
  writeFileSync(file, JSON.stringify(composition));
  const args = [toServer('context-aggregator'), '--config', file];
  const env = { ...(process.env as Record<string, string>), LOG_LEVEL: 'error' };
  client = new Client({ name: 'test', version: '0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
}
async function build(args: Record<string, unknown>) {
  const answer = await client.callTool({ name: 'build_prompt_with_context', arguments: args });
  const [{ text }] = answer.content as [{ text: string }];
  return text;
}

beforeEach(() => {
  folder = createFolder();
  saveSeed(folder.save);
  folder.save(`memory/${today}.md`, `# ${today}\n\n### 00:00 - 手动\n牙医改到三月三日\n`);
});
afterEach(async () => {
  await client.close();
  folder.remove();
});

describe('a workspace in a composition', () => {
  it('is the persona and a source of context, told to its owner alone', async () => {
    await compose({
      name: 'agent-memory',
      server: 'agent-memory',
      tool: 'load_context',
      arguments: {
        query: '{{user_query}}',
        sections: ['owner', 'daily', 'long_term', 'hits'],
        token_budget: 400,
        lines: true,
      },
      items: '/lines',
      line: '{{text}}',
      title: { en: 'Agent memory', zh: '工作区记忆' },
    });
    const ask = { persona_name: 'workspace', user_query: '前端框架用什么' };
    const prompt = await build({ ...ask, user_id: '张三' });
    const [context = '', persona = ''] = prompt.split('\n---\n');
    expect(persona).toContain('## 角色定位\n你是用户的个人 AI 助手');
    expect(persona).toContain('## 行为准则\n- 不确定时先询问');
    expect(context).toContain('[工作区记忆]');
    expect(context).toContain('- 基本信息: 职业: 前端工程师\n');
    expect(context).toContain(`${today} 00:00 [手动] 牙医改到三月三日`);
    expect(context).toContain('2026-01-20 [重要约定] 每周五下午复盘');
    expect(context).toContain('2026-02-14 10:30 [决策] 用户决定使用 React 作为前端框架');
    expect(context).not.toContain('角色定位');

    const other = await build({ ...ask, user_id: '李四' });
    expect(other).toContain('你是用户的个人 AI 助手');
    expect(other).not.toMatch(/牙医|复盘|React|前端工程师/);
  });
});
