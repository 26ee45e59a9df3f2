import type { AnswerOf, InputOf, KnowledgeBaseContract } from '@contextloom/contracts';
import type { AggregatorContract } from '@contextloom/contracts/aggregator';
import type { MemoryProcessorContract } from '@contextloom/contracts/memory-processor';
import type { PersonalMemoryContract } from '@contextloom/contracts/personal-memory';

/** The operations of servers behind the aggregator that the page uses. */
export type ServerContract = Pick<KnowledgeBaseContract, 'list_documents'> &
  Pick<MemoryProcessorContract, 'list_imports' | 'preview_import' | 'start_import' | 'undo_import' | 'upload_import'> &
  Pick<
    PersonalMemoryContract,
    | 'analyze_trends'
    | 'delete_entity'
    | 'list_entities'
    | 'merge_entities'
    | 'query_entity_relations'
    | 'search_events'
    | 'update_entity'
  >;

/** What an operation of the aggregator takes. */
export type Input<Name extends keyof AggregatorContract> = InputOf<AggregatorContract, Name>;
/** What an operation of the aggregator answers. */
export type Answer<Name extends keyof AggregatorContract> = AnswerOf<AggregatorContract, Name>;
/** What an operation of a server behind it takes. */
export type ServerInput<Name extends keyof ServerContract> = InputOf<ServerContract, Name>;
/** What an operation of a server behind it answers. */
export type ServerAnswer<Name extends keyof ServerContract> = AnswerOf<ServerContract, Name>;
