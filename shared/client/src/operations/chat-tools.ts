// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/** The tools of a model that speaks with one user: names, descriptions, and JSON Schemas of their arguments. */
export const chatTools = [
  {
    "name": "remember",
    "description": "Stores one thing worth keeping about the user: one sentence that makes sense by itself.\nUse update_memory instead when it corrects what recall found.",
    "parameters": {
      "type": "object",
      "properties": {
        "text": {
          "type": "string",
          "maxLength": 1000000
        },
        "kind": {
          "description": "Else: fact for \"I live in …\", event with a day, or note.",
          "type": "string",
          "enum": [
            "fact",
            "event",
            "note"
          ]
        },
        "key": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256,
          "description": "Of a fact: city."
        },
        "day": {
          "description": "Of an event: yesterday.",
          "type": "string",
          "maxLength": 40
        },
        "said_by": {
          "type": "string",
          "enum": [
            "user",
            "other",
            "assistant",
            "document",
            "tool"
          ]
        },
        "project": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256,
          "description": "Also this project."
        }
      },
      "required": [
        "text"
      ]
    }
  },
  {
    "name": "recall",
    "description": "Finds what is remembered about the user, best first.\nUse it before answering anything that may depend on the past.",
    "parameters": {
      "type": "object",
      "properties": {
        "query": {
          "type": "string",
          "maxLength": 1000
        },
        "limit": {
          "default": 10,
          "type": "integer",
          "minimum": 1,
          "maximum": 50
        },
        "kind": {
          "type": "string",
          "enum": [
            "fact",
            "event",
            "note",
            "typed",
            "entity",
            "agent",
            "project"
          ]
        },
        "tag": {
          "type": "string",
          "minLength": 1,
          "maxLength": 200
        },
        "time_range": {
          "description": "last_week or 2026-03-01..2026-03-09.",
          "type": "string",
          "maxLength": 100
        },
        "project": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256,
          "description": "Also this project."
        }
      },
      "required": [
        "query"
      ]
    }
  },
  {
    "name": "update_memory",
    "description": "Replaces what one memory says; of a fact, its value.\nUse it when the user corrects something: recall it first for its id.",
    "parameters": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "minLength": 3,
          "maxLength": 1024,
          "description": "As an answer gave it."
        },
        "text": {
          "type": "string",
          "maxLength": 1000000
        },
        "dry_run": {
          "type": "boolean"
        }
      },
      "required": [
        "id",
        "text"
      ]
    }
  },
  {
    "name": "forget",
    "description": "Deletes one memory for good.\nUse it when the user asks to forget something: recall it first for its id.",
    "parameters": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string",
          "minLength": 3,
          "maxLength": 1024,
          "description": "As an answer gave it."
        },
        "dry_run": {
          "type": "boolean"
        }
      },
      "required": [
        "id"
      ]
    }
  },
  {
    "name": "list_memories",
    "description": "Lists all that is remembered about the user, newest first.\nUse it to review everything; to answer a question use recall.",
    "parameters": {
      "type": "object",
      "properties": {
        "limit": {
          "default": 20,
          "type": "integer",
          "minimum": 1,
          "maximum": 100
        },
        "order": {
          "type": "string",
          "const": "newest"
        },
        "kind": {
          "type": "string",
          "enum": [
            "fact",
            "event",
            "note",
            "typed",
            "entity",
            "agent",
            "project"
          ]
        },
        "tag": {
          "type": "string",
          "minLength": 1,
          "maxLength": 200
        },
        "time_range": {
          "description": "last_week or 2026-03-01..2026-03-09.",
          "type": "string",
          "maxLength": 100
        },
        "cursor": {
          "description": "next_cursor of the page before.",
          "type": "string",
          "maxLength": 16384
        },
        "project": {
          "type": "string",
          "minLength": 1,
          "maxLength": 256,
          "description": "Also this project."
        }
      },
      "required": []
    }
  }
] as const;
