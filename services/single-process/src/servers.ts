import { type Edge, type EmbeddableServer, toEmbeddable } from '@contextloom/server-kit';

/** The servers that can run in this process, by the names of their services. The code of each is loaded when it is first needed. */
export function createServers(edge: Edge): Readonly<Record<string, EmbeddableServer>> {
  return {
    persona: toEmbeddable(async () => (await import('@contextloom/persona/program')).personaProgram),
    'knowledge-base': toEmbeddable(async () =>
      (await import('@contextloom/knowledge-base/program')).createKnowledgeBaseProgram(edge),
    ),
    'memory-processor': toEmbeddable(async () =>
      (await import('@contextloom/memory-processor/program')).createMemoryProcessorProgram(edge),
    ),
    'personal-memory': toEmbeddable(async () =>
      (await import('@contextloom/personal-memory/program')).createPersonalMemoryProgram(edge),
    ),
    'typed-memory': toEmbeddable(async () =>
      (await import('@contextloom/typed-memory/program')).createTypedMemoryProgram(edge),
    ),
    'agent-memory': toEmbeddable(async () =>
      (await import('@contextloom/agent-memory/program')).createAgentMemoryProgram(edge),
    ),
    'project-memory': toEmbeddable(async () =>
      (await import('@contextloom/project-memory/program')).createProjectMemoryProgram(edge),
    ),
  };
}
