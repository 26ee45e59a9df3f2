export { type Changes, createChanges } from './changes.ts';
export {
  defineResource,
  type Resource,
  type ResourceContent,
  type ResourceDefinition,
  type TemplateMember,
} from './resource.ts';
