import type { Database } from '@contextloom/sqlite';
import { fromDailyFile, TOOLS_FILE } from '../../domain/model/files.ts';
import type { IndexedFile } from '../../domain/ports/entry-index.ts';

/** The design's tables of what files say besides entries, derived as the entries are. */
export interface FactTables {
  put(file: IndexedFile): void;
  remove(path: string): void;
}

/** Builds the writing of those tables, inside a transaction of the caller's. */
export function createFactTables(database: Database): FactTables {
  const putSpirit = database.prepare(
    'INSERT OR REPLACE INTO spirit_cache VALUES (1, @role, @personality, @values, @behavior_rules, @path, @modified)',
  );
  const putOwner = database.prepare(
    `INSERT OR REPLACE INTO owner_cache
     VALUES (1, @name, @age, @occupation, @interests, @goals, @preferences, @path, @modified)`,
  );
  const putTool = database.prepare('INSERT OR REPLACE INTO tool_definitions VALUES (?, ?, ?, ?)');
  const putDay = database.prepare(
    'INSERT OR REPLACE INTO daily_logs VALUES (@date, @path, @entries, @summary, @created)',
  );
  const removals = ['spirit_cache', 'owner_cache', 'daily_logs'].map((table) =>
    database.prepare<[string]>(`DELETE FROM ${table} WHERE file_path = ?`),
  );
  const removeTools = database.prepare('DELETE FROM tool_definitions');

  function remove(path: string): void {
    for (const removal of removals) removal.run(path);
    if (path === TOOLS_FILE) removeTools.run();
  }
  function put({ path, modified, created, facts, entries }: IndexedFile): void {
    remove(path);
    const list = JSON.stringify;
    if (facts.kind === 'spirit') {
      const { role, personality, values, behavior_rules } = facts.spirit;
      putSpirit.run({ role, personality, values: list(values), behavior_rules: list(behavior_rules), path, modified });
    } else if (facts.kind === 'owner') {
      const { interests, goals, preferences, ...basics } = facts.owner;
      const lists = { interests: list(interests), goals: list(goals), preferences: list(preferences) };
      putOwner.run({ ...basics, ...lists, path, modified });
    } else if (facts.kind === 'tools') {
      for (const { name, description, parameters, enabled } of facts.tools) {
        putTool.run(name, description, list(parameters), enabled ? 1 : 0);
      }
    } else if (facts.kind === 'day') {
      const ids = list(entries.flatMap(({ id, in_text }) => (in_text ? [] : id)));
      putDay.run({ date: fromDailyFile(path), path, entries: ids, summary: facts.summary ?? null, created });
    }
  }
  return { put, remove };
}
