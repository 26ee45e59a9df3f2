import { type ErrorFormat, meaningOf } from '../../route/errors.ts';
import { LINES_TYPE, readsLines } from '../../route/route.ts';
import {
  errorsOf,
  hasBody,
  type JsonSchema,
  type ShownRoute,
  statusesOf,
  toApiSchema,
  toOperationId,
} from './operation.ts';

/** An HTTP API as its reference describes it. */
export interface ApiDescription {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly routes: readonly ShownRoute[];
  readonly errors: ErrorFormat;
  /** Whether callers need a bearer token. */
  readonly hasToken: boolean;
  /** Whether the same tools are served over MCP at `/mcp`. */
  readonly hasMcp: boolean;
}

/** References inside a schema start at the schema's own root, which is a component of the document now. */
function toComponent(schema: Readonly<JsonSchema>, name: string): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace(/^#/, `#/components/schemas/${name}`) : value,
  );
}

/** A text of another media type than JSON has no fields to describe. */
const toTextContent = (type: string) => ({ [type]: { schema: { type: 'string' } } });

const toContent = (name: string, example?: unknown) => ({
  'application/json': {
    schema: { $ref: `#/components/schemas/${name}` },
    ...(example !== undefined && { example }),
  },
});

function toParameters(route: ShownRoute) {
  const { properties = {}, required = [] } = toApiSchema(route.params, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const shown = (route.example?.params ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    const isInPath = route.path.split('/').includes(`:${name}`);
    return {
      name,
      in: isInPath ? 'path' : 'query',
      required: isInPath || required.includes(name),
      ...(description !== undefined && { description }),
      schema,
      ...(shown[name] !== undefined && { example: shown[name] }),
    };
  });
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the version to change, or "*".',
  schema: { type: 'string' },
};

const etag = { description: 'The version of what is shown.', schema: { type: 'string' } };

function toErrorResponses(route: ShownRoute, { errors, hasToken }: ApiDescription) {
  const responses: Record<string, { description: string; content: object }> = {};
  for (const code of errorsOf(route, hasToken)) {
    const status = errors.statusOf(code);
    const before = responses[status];
    const description = before === undefined ? meaningOf(code) : `${before.description} ${meaningOf(code)}`;
    responses[status] = { description, content: toContent('Error') };
  }
  return { ...responses, default: { description: 'Any other error.', content: toContent('Error') } };
}

function toOperation(route: ShownRoute, api: ApiDescription) {
  const id = toOperationId(route);
  const answers = Object.entries(statusesOf(route)).map(([status, description], at) => [
    status,
    {
      description,
      ...(route.isTagged && { headers: { ETag: etag } }),
      content:
        route.produces === undefined
          ? toContent(`${id}Answer`, at === 0 ? route.example?.answer : undefined)
          : toTextContent(route.produces),
    },
  ]);
  const heedsVersion = route.errors?.includes('precondition_failed') === true;
  return {
    operationId: id,
    summary: route.summary,
    ...(route.note !== undefined && { description: route.note }),
    parameters: [...toParameters(route), ...(heedsVersion ? [ifMatch] : [])],
    ...(hasBody(route) && {
      requestBody: {
        required: true,
        content: readsLines(route) ? toTextContent(LINES_TYPE) : toContent(`${id}Body`, route.example?.body),
      },
    }),
    responses: { ...Object.fromEntries(answers), ...toErrorResponses(route, api) },
  };
}

/** Writes the OpenAPI document of an API from the same schemas that its requests are parsed with. Source: OpenAPI 3.1.1. */
export function toOpenApi(api: ApiDescription): object {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, unknown> = { Error: toComponent(toApiSchema(api.errors.schema, 'output'), 'Error') };
  const addSchema = (name: string, schema: Readonly<JsonSchema>): void => {
    schemas[name] = toComponent(schema, name);
  };
  for (const route of api.routes) {
    const id = toOperationId(route);
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: toOperation(route, api) };
    if (route.produces === undefined) addSchema(`${id}Answer`, toApiSchema(route.answer, 'output'));
    if (hasBody(route) && !readsLines(route)) addSchema(`${id}Body`, toApiSchema(route.body, 'input'));
  }
  return {
    openapi: '3.1.1',
    info: {
      title: api.title,
      description: api.description,
      version: api.version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    ...(api.hasToken && { security: [{ token: [] }] }),
    paths,
    components: {
      schemas,
      ...(api.hasToken && { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }),
    },
  };
}
