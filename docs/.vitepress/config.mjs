// The site of the documentation, built by "npm run docs": the Markdown files where they lie, those of the services included.
const toItems = (names) => names.map(([text, link]) => ({ text, link }));

/** @type {import('vitepress').UserConfig} */
export default {
  title: 'Contextloom',
  description: 'Long memory for AI applications on MCP',
  srcDir: '..',
  srcExclude: ['build/**', '**/test/**', '**/examples/**', '**/prompts/**', '**/personas/**', 'CONTRIBUTING.md'],
  outDir: '../build/docs',
  cacheDir: '../build/docs-cache',
  rewrites: { 'README.md': 'index.md' },
  // What is no page: sources, settings and licences, which readers open in the repository.
  ignoreDeadLinks: [
    /\.(?:env\.example|json|ts|mjs)$/,
    /LICENSE/,
    /CONTRIBUTING/,
    /\/src\//,
    /\/examples\//,
    /reference\/tools/,
  ],
  themeConfig: {
    search: { provider: 'local' },
    sidebar: [
      {
        text: 'Start',
        items: toItems([
          ['Quick starts', '/docs/quick-start'],
          ['Overview', '/docs/overview'],
          ['How it is built', '/docs/architecture'],
          ['Questions', '/docs/faq'],
        ]),
      },
      {
        text: 'Guides',
        items: toItems([
          ['A companion with memory', '/docs/guides/companion'],
          ["A coding agent's project memory", '/docs/guides/project'],
          ['Import ten years of chats', '/docs/guides/import'],
          ['A thousand users', '/docs/guides/many-users'],
          ['Connect claude.ai and ChatGPT', '/docs/guides/connect'],
          ['Hooks for Claude Code and Codex', '/docs/hooks'],
          ['The proxy', '/docs/proxy'],
        ]),
      },
      {
        text: 'Reference',
        items: toItems([
          ['Tools', '/docs/reference/tools'],
          ['Commands', '/docs/cli'],
          ['Client library', '/docs/client'],
          ['Profile chat', '/docs/chat-profile'],
          ['Gateway', '/docs/gateway'],
        ]),
      },
      {
        text: 'Servers',
        items: toItems([
          ['Context aggregator', '/docs/context-aggregator'],
          ['Knowledge base', '/docs/knowledge-base'],
          ['Memory processor', '/docs/memory-processor'],
          ['Personal memory', '/docs/personal-memory'],
          ['Typed memory', '/docs/typed-memory'],
          ['Agent memory', '/docs/agent-memory'],
          ['Project memory', '/docs/project-memory'],
        ]),
      },
      {
        text: 'More',
        items: toItems([
          ['Security', '/SECURITY'],
          ['Archives', '/docs/archive'],
          ['Forgetting', '/docs/forgetting'],
          ['Next to other memories', '/docs/comparison'],
          ['Search on many shapes', '/docs/panel'],
          ['Changes', '/CHANGELOG'],
        ]),
      },
      {
        text: 'Working on it',
        items: toItems([
          ['Directions', '/docs/development/directions'],
          ['Operations', '/docs/development/operations'],
          ['Tests', '/docs/development/testing'],
          ['Benchmarks', '/docs/development/benchmarks'],
          ['Releasing', '/docs/development/releasing'],
        ]),
      },
    ],
  },
};
