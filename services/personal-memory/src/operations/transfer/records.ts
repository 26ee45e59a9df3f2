/** A memory in the examples of its export and import. */
export const exampleMemory =
  '{"format":"contextloom-personal-memory","version":1,"profile":[{"key":"city","value":"Leith","updated_at":"2026-03-02T09:30:00.000Z"}]}';
