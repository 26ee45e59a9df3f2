export {
  defineExportUser,
  defineImportUser,
  defineListUsers,
  type ExportUserOptions,
  type ImportUserOptions,
  type ListUsersOptions,
} from './archive.ts';
export type { OperationContext } from './context.ts';
export { type CountWaitingOptions, defineCountWaiting } from './count-waiting.ts';
export { type FormField, type OperationForm, toForm, toHelp } from './describe.ts';
export { type Effect, type EffectHints, effects } from './effect.ts';
export { defineForgetUser, type ForgetUserOptions, toUserHash, withHashedSubjects } from './forget-user.ts';
export {
  defineOperation,
  type Operation,
  type OperationDefinition,
  type OperationExample,
} from './operation.ts';
export type { OperationRoute } from './operation-route.ts';
export { toRoutes } from './to-route.ts';
export { toTool } from './to-tool.ts';
