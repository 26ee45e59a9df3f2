import { type ProjectName, toProjectKey } from '../domain/project.ts';

type Arguments = Readonly<Record<string, unknown>>;

const places = ['project_key', 'project_name', 'project_path'];

/** A call names its project by its key, else by its name, else by its folder: the same that a memory is stored under. */
export const projectSubject = {
  places,
  named: (input: ProjectName): readonly string[] => {
    const key = toProjectKey(input);
    return key === undefined ? [] : [key];
  },
  fill: (args: Arguments, key: string): Arguments =>
    places.some((place) => args[place] !== undefined) ? args : { ...args, project_key: key },
};

/** So does one that reads; without a project it reads all that the caller reaches. */
export const selectionSubject = { ...projectSubject, isOptional: true };

/** Ids are looked up among the projects that the caller reaches. */
export const idSubject = {
  places: [],
  named: (): readonly string[] => [],
  fill: (args: Arguments): Arguments => args,
  isOptional: true,
};
