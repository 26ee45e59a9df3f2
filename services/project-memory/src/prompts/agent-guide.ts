import { ContextloomError, LANGUAGES } from '@contextloom/contracts';
import { wordsOf } from '@contextloom/languages';
import { defineResource, type PromptDefinition, type Resource } from '@contextloom/server-kit';
import { z } from 'zod';

const languageNames = new Intl.DisplayNames('en', { type: 'language' });
const languageSchema = z.enum(LANGUAGES).default('en');

/** Writes tools by the names that they have. */
type NameTools = (text: string) => string;

/** The guide for agents as a prompt. */
export function createAgentGuide(nameTools: NameTools): PromptDefinition {
  return {
    name: 'agent-guide',
    title: 'How agents use the project memory',
    description: 'The fixed order search, get, answer; what to store, and as what.',
    arguments: [{ name: 'language', description: `${LANGUAGES.join(' or ')}; en when absent.`, required: false }],
    render: ({ language }) => {
      const parsed = languageSchema.safeParse(language);
      if (parsed.success) return nameTools(wordsOf(parsed.data).guides.projectMemory);
      throw new ContextloomError('invalid', `language must be one of ${LANGUAGES.join(', ')}`, { field: 'language' });
    },
  };
}

/** The guide for agents as resources, one a language. */
export const createGuideResources = (nameTools: NameTools): readonly Resource<unknown>[] =>
  LANGUAGES.map((language) =>
    defineResource({
      uri: `agent-mem://guide/${language}`,
      name: `guide-${language}`,
      title: wordsOf(language).guides.projectMemoryTitle,
      description: `What an agent needs to know to use this memory, in ${languageNames.of(language)}.`,
      mimeType: 'text/markdown',
      variables: z.object({}),
      read: () => ({ text: nameTools(wordsOf(language).guides.projectMemory) }),
    }),
  );
