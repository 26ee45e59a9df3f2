import { ContextloomError } from '@contextloom/contracts';
import { defineResource, type PromptDefinition, type Resource } from '@contextloom/server-kit';
import { z } from 'zod';

/** The guide in each language; `docs/LLM_PROMPTS.md` shows it. */
export const guides = {
  en: `# Working with the project memory

Before you answer a question about the project, or begin a task in it:

1. Call \`mem.search\` with \`project_name\` and a query of a few words. It returns snippets, not answers.
2. Call \`mem.get\` with the ids that matter. Read the whole texts.
3. Answer from what you read. If nothing was found, say so; do not guess.

When something was decided, built, tested or learned, call \`mem.ingest_memory\` with \`project_name\`, \`content_type\` and \`content\`:

- \`requirement\`: needs and limits
- \`plan\`: schedule, order of work, milestones
- \`development\`: design, implementation, architecture
- \`testing\`: tests, checks, regressions
- \`insight\`: lessons, patterns, decisions and their reasons

Exactly one of the five. One subject a memory, in whole sentences, with the reasons. Do not send \`source\`. To bring a subject up to
date, just ingest what holds now: the server replaces what it supersedes and keeps the history (\`mem.versions\`). If the answer names
\`candidates\`, read them: where the new text supersedes one, send it again with that id as \`replaces\`.
`,
  zh: `# 项目记忆使用说明

回答与项目有关的问题，或开始项目中的任务之前：

1. 调用 \`mem.search\`，传入 \`project_name\` 和几个关键词。返回的是片段，不是答案。
2. 用相关的 id 调用 \`mem.get\`，读完整内容。
3. 根据读到的内容回答。没有找到就如实说明，不要猜测。

有了决定、实现、测试结果或经验时，调用 \`mem.ingest_memory\`，传入 \`project_name\`、\`content_type\` 和 \`content\`：

- \`requirement\`：需求与约束
- \`plan\`：计划、排期、里程碑
- \`development\`：实现方案、代码细节、架构
- \`testing\`：测试、验证、回归
- \`insight\`：经验、教训、模式、决策及其理由

五类中必须且只能选一类。一条记忆只写一个主题，用完整的句子，写明理由。不要传 \`source\`。主题有更新时，直接写入现在成立的内容：
服务端会替换过时的旧记忆，并保留历史（\`mem.versions\`）。如果返回了 \`candidates\`，先读这些记忆：新内容取代其中一条时，带上它的 id（\`replaces\`）再写一次。
`,
} as const;

const languageSchema = z.enum(['en', 'zh'], 'must be "en" or "zh"').default('en');

/** Writes tools by the names that they have. */
type NameTools = (text: string) => string;

/** The guide for agents as a prompt. */
export function createAgentGuide(nameTools: NameTools): PromptDefinition {
  return {
    name: 'agent-guide',
    title: 'How agents use the project memory',
    description: 'The fixed order search, get, answer; what to store, and as what. In English or Chinese.',
    arguments: [{ name: 'language', description: 'en (default) or zh.', required: false }],
    render: ({ language }) => {
      const parsed = languageSchema.safeParse(language);
      if (parsed.success) return nameTools(guides[parsed.data]);
      throw new ContextloomError('invalid', 'language must be "en" or "zh"', { field: 'language' });
    },
  };
}

/** The guide for agents as resources, one a language. */
export const createGuideResources = (nameTools: NameTools): readonly Resource<unknown>[] =>
  (['en', 'zh'] as const).map((language) =>
    defineResource({
      uri: `agent-mem://guide/${language}`,
      name: `guide-${language}`,
      title: language === 'en' ? 'How agents use the project memory' : '项目记忆使用说明',
      description: `What an agent needs to know to use this memory, in ${language === 'en' ? 'English' : 'Chinese'}.`,
      mimeType: 'text/markdown',
      variables: z.object({}),
      read: () => ({ text: nameTools(guides[language]) }),
    }),
  );
