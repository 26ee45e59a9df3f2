/** What is used here of oidc-provider 9, whose package has no types: as its documentation of configuration and models says. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export type Payload = Record<string, unknown>;

  export interface Adapter {
    upsert(id: string, payload: Payload, expiresIn?: number): Promise<void>;
    find(id: string): Promise<Payload | undefined>;
    findByUid(uid: string): Promise<Payload | undefined>;
    findByUserCode(userCode: string): Promise<undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  export interface Client {
    readonly clientId: string;
    readonly clientName?: string;
    readonly clientSecret?: string;
    grantTypeAllowed(type: string): boolean;
  }

  export interface Context {
    readonly method: string;
    readonly path: string;
    status: number;
    body: unknown;
    type: string;
    query: Record<string, string | string[] | undefined>;
    set(name: string, value: string): void;
    readonly oidc?: { readonly route: string; readonly result?: { readonly login?: object } };
  }

  export interface Interaction {
    readonly uid: string;
    readonly prompt: { readonly name: string };
    readonly params: Readonly<Record<string, string | readonly string[] | undefined>>;
  }

  export interface Grant {
    addResourceScope(resource: string, scope: string): void;
    rejectResourceScope(resource: string, scope: string): void;
    rejectOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export interface AccessToken {
    readonly accountId: string;
    readonly grantId: string;
    readonly scope?: string;
    readonly aud?: string | readonly string[];
    readonly isValid: boolean;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    proxy: boolean;
    readonly Client: { find(id: string): Promise<Client | undefined>; readonly prototype: object };
    readonly AccessToken: { find(value: string): Promise<AccessToken | undefined> };
    readonly Grant: new (properties: {
      accountId: string;
      clientId: string;
    }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): this;
    on(event: 'server_error', listener: (context: Context, error: Error) => void): this;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: { mergeWithLastSubmission?: boolean },
    ): Promise<void>;
  }

  export const interactionPolicy: {
    readonly base: () => {
      get(name: string): { readonly checks: { add(check: object): void } } | undefined;
    };
    readonly Check: new (reason: string, description: string, check: (context: Context) => boolean) => object;
  };

  export const errors: {
    readonly InvalidClientMetadata: new (message: string) => Error;
    readonly InvalidGrant: new (message: string) => Error;
    readonly InvalidTarget: new () => Error;
  };
}
