import type { EntityType, EventType } from '@contextloom/contracts/personal-memory';
import { defineResource } from '@contextloom/server-kit';
import { z } from 'zod';

/** What an event of a type is, what it is usually about, and which metadata go with it. */
interface EventTemplate {
  readonly description: string;
  readonly common_entities: readonly EntityType[];
  readonly metadata_fields: readonly string[];
}

const eventTemplates: Readonly<Record<EventType, EventTemplate>> = {
  purchase: {
    description: '购买或获得某物 / buying or getting something',
    common_entities: ['property', 'vehicle', 'pet'],
    metadata_fields: ['cost', 'location', 'brand', 'model'],
  },
  illness: {
    description: '疾病或就医 / falling ill, seeing a doctor or a vet',
    common_entities: ['pet', 'person'],
    metadata_fields: ['cost', 'diagnosis', 'hospital', 'medication'],
  },
  maintenance: {
    description: '维护或保养 / repairs, services, grooming',
    common_entities: ['vehicle', 'property'],
    metadata_fields: ['cost', 'service_type', 'service_provider'],
  },
  activity: {
    description: '日常活动或互动 / what was done, alone or together',
    common_entities: ['pet', 'person'],
    metadata_fields: ['location', 'duration'],
  },
  milestone: {
    description: '重要里程碑 / a turning point, such as an adoption, a move, a new job',
    common_entities: ['person', 'pet', 'property'],
    metadata_fields: ['significance'],
  },
  other: { description: '其他 / anything else', common_entities: [], metadata_fields: [] },
};

/** The kinds of events as a resource, for models that are unsure which one to take. */
export const eventTemplatesResource = defineResource({
  uri: 'memory://event-templates',
  name: 'Event Type Templates',
  title: 'Kinds of events',
  description: 'What each kind of event is, what it is usually about, and which metadata go with it.',
  mimeType: 'application/json',
  variables: z.object({}),
  read: () => ({ text: JSON.stringify({ event_templates: eventTemplates }, null, 2) }),
});
