import type { RequestHandler } from 'express';
import type { Principal } from '../principal/principal.ts';

/** The authorization server of this installation, where it is its own. Source: OAuth 2.1 (draft 13), MCP 2025-11-25 on authorization. */
export interface Authorization {
  /** Answers the paths of the authorization server, and what clients read about it; everything else goes on. */
  readonly handle: RequestHandler;
  /** Whose access token it is, and what it may do at this path; undefined for what is none, or is over. */
  readonly verify: (token: string, path: string) => Promise<Principal | undefined>;
  /** Where a client that was refused at a path reads who gives tokens for it. */
  readonly toMetadataUrl: (path: string) => string;
  readonly close: () => Promise<void>;
}
