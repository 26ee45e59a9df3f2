import { freeFormObject } from '@contextloom/contracts';
import { z } from 'zod';
import { createEntity } from '../domain/entities.ts';
import { nameField, optionalField, tagsField } from '../domain/fields.ts';
import { entityTypes } from '../domain/model.ts';
import { defineUserTool } from './user-tool.ts';

/** Stores a thing in the user's life. */
export const createEntityTool = defineUserTool({
  name: 'create_entity',
  title: 'Remember a pet, a person, a thing',
  description:
    'Stores a thing with a life of its own, which events can be about: a pet, a property, a vehicle, a person. Look first with resolve_entity or list_entities whether it is there.',
  kind: 'adds',
  input: z.object({
    entity_type: z.enum(entityTypes).describe('What kind of thing it is.'),
    name: optionalField(nameField('What it is called, such as the name of the pet.')),
    attributes: freeFormObject('What is known about it, such as {"breed": "golden retriever", "age": 3}.').optional(),
    tags: tagsField.optional(),
  }),
  output: z.object({ entity_id: z.int() }),
  run: async (given, context) => ({ entity_id: await createEntity(given, context) }),
});
