import { z } from 'zod';
import { fromIso } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

const text = z.string().nullish();
const projectSchema = z.looseObject({
  uuid: text,
  name: text,
  description: text,
  prompt_template: text,
  created_at: text,
  docs: z.array(z.looseObject({ filename: text, content: text, created_at: text })).nullish(),
});
const memorySchema = z.looseObject({
  conversations_memory: text,
  project_memories: z.record(z.string(), z.string().nullish()).nullish(),
});

const isProject = (value: unknown): boolean =>
  isRecord(value) && 'name' in value && ('prompt_template' in value || Array.isArray(value['docs']));
const isMemory = (value: unknown): boolean => isRecord(value) && 'conversations_memory' in value;

/** A project is its user's: what it is about, its instructions, and the texts that were put into it. */
function readProject(value: unknown, at: string, out: Out) {
  const read = projectSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no project of Claude');
  const { uuid, name, description, prompt_template: instructions, created_at: created, docs } = read.data;
  out.conversation({ ...(uuid != null && { id: `claude-project-${uuid}` }), title: name || undefined });
  const title = name || 'Project';
  for (const said of [description, instructions]) {
    if (said != null && said.trim() !== '')
      out.turn({ role: 'user', text: `${title}: ${said.trim()}`, ...fromIso(created) });
  }
  for (const { filename, content, created_at: added } of docs ?? []) {
    if (content == null || content.trim() === '') out.leftOut('file without text', at, filename ?? '');
    else out.turn({ role: 'user', text: `${filename || 'Document'}\n${content.trim()}`, ...fromIso(added ?? created) });
  }
}

/** What Claude wrote down about its user: an account by somebody else, in paragraphs. */
function readMemory(value: unknown, at: string, out: Out) {
  const read = memorySchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no memory of Claude');
  const { conversations_memory: own, project_memories: projects } = read.data;
  const memories: readonly (readonly [string, string | null | undefined])[] = [
    ['claude-memory', own],
    ...Object.entries(projects ?? {}).map(([id, memory]) => [`claude-project-memory-${id}`, memory] as const),
  ];
  for (const [id, memory] of memories) {
    if (memory == null || memory.trim() === '') continue;
    out.conversation({ id, title: 'Memory of Claude' });
    for (const paragraph of memory.split(/\n{2,}/u))
      if (paragraph.trim() !== '') out.turn({ speaker: "Claude's memory", role: 'other', text: paragraph });
  }
}

function createReader(
  name: string,
  title: string,
  isOne: (value: unknown) => boolean,
  read: (value: unknown, at: string, out: Out) => void,
): Reader {
  return {
    name,
    title,
    detect: ({ json }) => (Array.isArray(json) ? json.some(isOne) : isOne(json)),
    read: (out, { sample }) =>
      Array.isArray(sample.json)
        ? createJsonSink(['$.*'], ({ value, path }) => read(value, `entry ${Number(path[0]) + 1}`, out))
        : createJsonSink(['$'], ({ value }) => read(value, 'the file', out)),
  };
}

/** The projects of Claude's data export: `projects.json`, or a file each. */
export const claudeProjects: Reader = createReader('claude-projects', 'Claude projects', isProject, readProject);

/** What Claude remembers, in its data export: `memories.json`. */
export const claudeMemories: Reader = createReader('claude-memories', 'Claude memories', isMemory, readMemory);
