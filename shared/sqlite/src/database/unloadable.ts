/** What is known about a SQLite that cannot be loaded. */
export interface Unloadable {
  readonly package: string;
  /** The version of Node that runs, as a number such as 20. */
  readonly nodeMajor: number;
  readonly cause: unknown;
}

/**
 * Says why SQLite cannot be loaded, and what to do. npm leaves a package out that does not run on its Node, and one that it could
 * not compile: `npm rebuild` has nothing to say about those.
 */
export function describeUnloadable({ package: name, nodeMajor, cause }: Unloadable): string {
  if (Object(cause).code !== 'MODULE_NOT_FOUND') {
    return `SQLite cannot be loaded: ${name} has no binary that runs here; "npm rebuild ${name}" says why`;
  }
  const missing = `SQLite cannot be loaded: ${name}, which Node ${nodeMajor} needs, is not installed. Install contextloom again with this version of Node`;
  if (nodeMajor >= 22) return missing;
  return `${missing}; where it is still missing, "npm install ${name}@12" says why it cannot be compiled (Node 22 or newer needs no compiler)`;
}
