// Which way the arrows run. Every rule here has a planted violation in test/directions.e2e.ts.

/** A shared package may import only these other shared packages. */
const below = {
  contracts: [],
  languages: ['contracts'],
  retrieval: ['contracts', 'languages'],
  safety: ['retrieval'],
  runtime: ['contracts'],
  llm: ['contracts', 'retrieval', 'runtime'],
  sqlite: ['contracts', 'retrieval', 'runtime'],
  postgres: ['contracts', 'runtime'],
  access: ['contracts', 'runtime', 'sqlite', 'postgres'],
  'mcp-client': ['contracts', 'runtime', 'access'],
  'server-kit': ['contracts', 'runtime', 'access', 'mcp-client', 'safety'],
  transcripts: ['contracts', 'retrieval', 'runtime', 'safety', 'sqlite'],
  'knowledge-client': ['contracts', 'runtime', 'access', 'mcp-client'],
  // Its sources import less: see client-imports-errors-only. Its tests call servers.
  client: ['contracts', 'llm', 'runtime', 'access', 'server-kit'],
  testing: ['contracts', 'retrieval', 'runtime', 'llm', 'postgres', 'access', 'mcp-client', 'server-kit'],
};

const sharedRules = Object.entries(below).map(([name, allowed]) => ({
  name: `shared-${name}-imports-downward-only`,
  comment:
    'contracts <- languages, runtime <- retrieval <- safety, llm, sqlite, postgres, access <- transcripts, mcp-client <- knowledge-client, server-kit <- testing: never upward, never sideways',
  severity: 'error',
  from: { path: `^shared/${name}/` },
  // What tests share stands on all others; that no source stands on it is a rule of its own.
  to: { path: `^shared/(?!tooling/|testing/|${[name, ...allowed].join('/|')}/)` },
}));

module.exports = {
  forbidden: [
    ...sharedRules,
    {
      name: 'services-never-import-each-other',
      comment:
        'services meet over MCP or HTTP, with contracts; single-process alone names them all, since one process has to load what it runs; a test may run the HTTP service of the knowledge base in its own process',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: '^services/single-process/' },
      to: {
        path: '^services/',
        pathNot: ['^services/$1/', '^services/knowledge-base/test/support/local-service\\.ts$'],
      },
    },
    {
      name: 'single-process-loads-programs-only',
      comment: 'it opens a server as its entry file does, and speaks with it over MCP; of its inside it knows nothing',
      severity: 'error',
      from: { path: '^services/single-process/src/' },
      to: { path: '^services/', pathNot: '^services/(single-process/|[^/]+/src/program\\.ts$)' },
    },
    {
      name: 'shared-never-imports-services',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^services/' },
    },
    {
      name: 'contracts-imports-zod-only',
      severity: 'error',
      from: { path: '^shared/contracts/src/' },
      to: { dependencyTypesNot: ['local', 'type-only'], pathNot: '(^|/)node_modules/zod/' },
    },
    {
      name: 'readers-take-their-schemas-from-contracts',
      comment:
        'what another service answers is written in contracts alone: the console takes its types, and the aggregator and the command read of it what they need with readOnly. Files that are listed read what is no answer of a service',
      severity: 'error',
      from: {
        path: [
          '^services/console/src/',
          '^services/context-aggregator/src/sources/(asking|memories|stores)/',
          '^services/cli/src/(archive|commands|conversations|demo|hooks|output)/',
        ],
        pathNot: [
          '^services/context-aggregator/src/sources/stores/list-across\\.ts$',
          '^services/cli/src/(archive/manifest|commands/(console|up)|demo/(embedder|scenarios)|hooks/(hook-folder|hook-input|opencode-session|settings))\\.ts$',
        ],
      },
      to: { path: '(^|/)node_modules/zod/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'mcp-sdk-in-its-packages-only',
      comment:
        'the library for applications cannot stand on server-kit, which is for servers: it runs in browsers, and its face has no zod',
      severity: 'error',
      from: {
        path: '^(shared|services)/[^/]+/src/',
        pathNot: '^(shared/(access|mcp-client|server-kit|testing|client)|services/context-aggregator/src/gateway)/',
      },
      to: { path: '(^|/)node_modules/@modelcontextprotocol/' },
    },
    {
      name: 'client-imports-errors-only',
      comment: 'an application that imports the library gets no schemas, and its types name no zod',
      severity: 'error',
      from: { path: '^shared/client/src/' },
      to: { path: '^shared/(?!client/src/|contracts/src/errors\\.ts$)' },
    },
    {
      name: 'client-runs-in-browsers',
      comment: 'what only Node has stands in src/node/, which the entry for Node alone imports',
      severity: 'error',
      from: { path: '^shared/client/src/', pathNot: '^shared/client/src/(node/|index\\.ts$)' },
      to: { path: '^shared/client/src/node/|/@modelcontextprotocol/client/dist/stdio|^node:' },
    },
    {
      name: 'sqlite-in-its-package-only',
      severity: 'error',
      from: { path: '^(shared|services)/[^/]+/src/', pathNot: '^shared/sqlite/' },
      to: { path: '(^|/)node_modules/(better-sqlite3(-napi)?|@types/better-sqlite3)/' },
    },
    {
      name: 'model-client-in-llm-only',
      comment:
        'whoever speaks to a model does so through the ports ChatModel and Embedder; the library for applications takes theirs',
      severity: 'error',
      from: { path: '^(shared|services)/[^/]+/src/', pathNot: '^shared/(llm|client)/src/openai/' },
      to: { path: '(^|/)node_modules/openai/' },
    },
    {
      name: 'chroma-behind-its-store-only',
      severity: 'error',
      from: { path: '^(shared|services)/[^/]+/src/', pathNot: '^services/knowledge-base/src/store/chroma/' },
      to: { path: '(^|/)node_modules/(chromadb|@chroma-core)/' },
    },
    {
      name: 'postgres-behind-its-store-only',
      severity: 'error',
      from: {
        path: '^(shared|services)/[^/]+/src/',
        pathNot: '^(services/project-memory/src/store|shared/postgres/src)/',
      },
      to: { path: '(^|/)node_modules/(pg|@types/pg|@electric-sql)/' },
    },
    {
      name: 'domain-imports-contracts-and-retrieval-only',
      comment:
        'domain knows no database, SDK, express or model client; zod is the language that contracts are written in',
      severity: 'error',
      from: { path: '^services/[^/]+/src/domain/' },
      to: {
        pathNot: [
          '^services/[^/]+/src/domain/',
          '^services/[^/]+/src/(store|prompts)/[^/]*store\\.ts$|^services/[^/]+/src/prompts/',
          '^shared/(contracts|languages|retrieval|safety)/',
          '^shared/runtime/src/scheduling/',
          // The turns of a conversation are values; how they are read is not the domain's.
          '^shared/transcripts/src/transcript\\.ts$',
          '(^|/)node_modules/zod/',
          // Hashing is a pure function, and so is reading Markdown and YAML; caches keep no data of others.
          '^(node:)?crypto$',
          '(^|/)node_modules/(markdown-it|yaml|lru-cache)/',
        ],
      },
    },
    {
      name: 'domain-sees-store-ports-not-adapters',
      severity: 'error',
      from: { path: '^services/[^/]+/src/domain/' },
      to: { path: '^services/[^/]+/src/store/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'entries-reach-the-store-through-domain',
      severity: 'error',
      from: { path: '^services/[^/]+/src/(tools|operations|http)/' },
      to: { path: '^services/[^/]+/src/store/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-imports-an-entry-file',
      severity: 'error',
      from: { path: '^services/[^/]+/src/' },
      to: { path: '^services/[^/]+/src/(server|service|batch|import|migrate|reembed|main)\\.ts$' },
    },
    {
      name: 'src-never-imports-tests',
      severity: 'error',
      from: { path: '/src/', pathNot: '^shared/testing/' },
      to: { path: '(/test/|^shared/testing/|\\.(test|e2e|faults)\\.)' },
    },
    {
      name: 'folders-run-one-way',
      comment:
        'in these packages not even two folders import each other, such as agent-memory: model <- grammar <- sync',
      severity: 'error',
      scope: 'folder',
      from: {
        path: '^(services/(agent-memory|context-aggregator)|shared/(runtime|access|mcp-client|server-kit))/src/',
      },
      to: { circular: true },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolvable',
      comment: 'what benches alone need is installed when somebody runs them',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(vega|vega-lite|@energetic-ai/[a-z-]+)$' },
    },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      from: { path: '/src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^(shared|services)/[^/]+/(build|dist)/|^(shared|services)/.*/fixtures/)' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@contextloom/source', 'import', 'node', 'types', 'default'],
      extensions: ['.ts', '.mts', '.mjs', '.js', '.d.ts'],
    },
  },
};
