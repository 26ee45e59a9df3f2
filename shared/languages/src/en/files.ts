import type { FileWords } from '../language-data.ts';

/** What stands in the Markdown files of agent memory. */
export const files: FileWords = {
  titles: {
    role: 'Role',
    personality: 'Personality',
    values: 'Values',
    behavior_rules: 'Behavior rules',
    basics: 'Basic information',
    interests: 'Interests',
    goals: 'Current goals',
    preferences: 'Preferences',
    name: 'Name',
    age: 'Age',
    occupation: 'Occupation',
    summary: 'Summary',
    entries: 'Entries',
    enabled: 'Enabled',
    parameters: 'Parameters',
    agreement: 'Important',
  },
  entryTypes: {
    conversation: 'Conversation',
    decision: 'Decision',
    summary: 'Summary',
    manual: 'Manual',
  },
  skeletons: {
    spirit: '# The agent\n\n## Role\n\n## Personality\n\n## Values\n\n## Behavior rules\n',
    owner:
      '# The owner\n\n## Basic information\n- Name: \n- Age: \n- Occupation: \n\n## Interests\n\n## Current goals\n\n## Preferences\n',
    tools: '# Tools\n\n## Files\n\n## Network\n\n## Code\n',
    longTerm: '# Long-term memory\n',
  },
  context: {
    persona: 'Who you are',
    owner: 'Whom you serve',
    tools: 'Tools',
    daily: 'Recent days',
    long_term: 'Long-term memory',
    hits: 'Memories for the question',
  },
  empty:
    'The workspace is empty. Call init_identity to make its files, update_identity to say who the agent is and whom it serves, and add_entry for what is worth keeping.',
  dailyLog: (date) => `# ${date} log\n\n## Entries\n`,
};
