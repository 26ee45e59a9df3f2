export { acquireFileLock } from './files/file-lock.ts';
export { requireOwnReading, requireOwnWriting, toFileError } from './files/key-file-errors.ts';
export { updateFile } from './files/update-file.ts';
export { MAX_BODY_BYTES, MAX_LINE_BYTES, MAX_MESSAGE_BYTES } from './messages/message-size.ts';
export { readLargeAnswer, resultTextOf } from './messages/result-text.ts';
export { ignoreBrokenPipe } from './process/broken-pipe.ts';
export {
  type CommandDefinition,
  commonSettings,
  type Flag,
  type FlagValues,
  type ProcessLike,
  readCommand,
  runCommand,
} from './process/command-line.ts';
export { endOnSignals } from './process/end-on-signals.ts';
export { type EntryFile, toLogName, toProgramName, toUsage } from './process/entry-file.ts';
export { type CommandContext, doJob, INTERRUPTED, type Job, printAndExit, runJob } from './process/job.ts';
export { createLog, type Log, silentLog } from './process/log.ts';
export { outliveRejections } from './process/outlive-rejections.ts';
export { READING_FOLDER, userFolders } from './process/user-folders.ts';
export { createSealer, parseSecretKey, SECRET_KEY_BYTES, type Sealer } from './secrets/sealer.ts';
export { makeSecretKeyFile, readSecretKeyFile } from './secrets/secret-key-file.ts';
export { createConfigFileReader } from './settings/config-file.ts';
export { wholeNumber, yesOrNo } from './settings/setting-schemas.ts';
export {
  type Environment,
  readSettings,
  type Setting,
  type Settings,
  type SettingValues,
  setting,
  toPrintableSettings,
} from './settings/settings.ts';
export { traceClient, traceServer } from './tracing/spans.ts';
