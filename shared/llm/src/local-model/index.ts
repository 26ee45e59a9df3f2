export * from './download-model.ts';
export * from './install-library.ts';
export { DEFAULT_LOCAL_MODEL, DEFAULT_MODELS_FOLDER, toLibraryFolder, toModelFolder } from './place.ts';
