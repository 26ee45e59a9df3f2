# One build, one runtime. The last target is the image that is published: all servers in one process. The others are those of
# docker-compose.yml; they add settings and a command alone.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci
RUN npm prune --omit=dev --ignore-scripts

FROM node:24.21.0-bookworm-slim AS runtime
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app .
RUN install -d -o node -g node /data && install -d -o node -g node -m 0700 /access
ENV CONTEXTLOOM_KEYS_FILE=/access/keys.json
USER node

FROM runtime AS knowledge-base
ENV KB_HOST=0.0.0.0 KB_PORT=8000 KB_DATA_DIR=/data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:8000/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/knowledge-base/dist/service.js"]

FROM runtime AS agent-memory
ENV AGENT_MEMORY_WORKSPACE=/data/agent-memory/workspace AGENT_MEMORY_WORKSPACES=/data/agent-memory/workspaces AGENT_MEMORY_DATA_DIR=/data/agent-memory/rest
EXPOSE 8030
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:8030/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/agent-memory/dist/server.js", "--http", "8030", "--host", "0.0.0.0"]

FROM runtime AS personal-memory
ENV PERSONAL_MEMORY_DATA_DIR=/data
EXPOSE 8031
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:8031/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/personal-memory/dist/server.js", "--http", "8031", "--host", "0.0.0.0"]

FROM runtime AS typed-memory
EXPOSE 8020
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:8020/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/typed-memory/dist/server.js", "--http", "8020", "--host", "0.0.0.0"]

FROM runtime AS project-memory
ENV PROJECT_MEMORY_HOST=0.0.0.0 PROJECT_MEMORY_PORT=8787 PROJECT_MEMORY_DATA_DIR=/data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:8787/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/project-memory/dist/server.js", "--http"]

FROM runtime AS persona
EXPOSE 8032
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:8032/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/persona/dist/server.js", "--persona", "marlow", "--http", "8032", "--host", "0.0.0.0"]

FROM runtime AS memory-processor
ENV MEMORY_PROCESSOR_DATA_DIR=/data
EXPOSE 8033
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:8033/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/memory-processor/dist/server.js", "--http", "8033", "--host", "0.0.0.0"]

FROM runtime AS proxy
ENV PROXY_HOST=0.0.0.0 PROXY_PORT=8040
EXPOSE 8040
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:8040/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/proxy/dist/server.js"]

FROM runtime AS context-aggregator
EXPOSE 8010
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:8010/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/context-aggregator/dist/server.js", "--config", "mcp_config.json", "--http", "8010", "--host", "0.0.0.0"]

# The aggregator with all servers in one process, over SQLite in the volume /data. Another command runs another server of it.
FROM runtime AS contextloom
ENV XDG_DATA_HOME=/data XDG_CONFIG_HOME=/data
VOLUME ["/data", "/access"]
EXPOSE 8010
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:8010/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/cli/bin/contextloom.js", "serve", "--http", "8010", "--host", "0.0.0.0"]
