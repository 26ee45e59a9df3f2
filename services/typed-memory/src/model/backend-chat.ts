import { type Chat, type LoadImages, requireAnswer } from '../domain/chat.ts';
import type { BackendAgent } from '../domain/typed-memory-store.ts';

/** What chats of a backend are answered with. */
export interface BackendChatOptions {
  readonly agent: BackendAgent;
  readonly loadImages: LoadImages;
}

const PRIVATE = 'a part of the message is marked as private, so the backend was asked to keep nothing of it';

/** Builds the chat over the agent of a backend: it searches, answers and keeps by itself. Images are checked as always. */
export function createBackendChat({ agent, loadImages }: BackendChatOptions): Chat {
  return async (userId, { message, kept, memorizing: isWanted, imageUris, onText, signal }) => {
    // It keeps what it will of a message that it sees.
    const memorizing = isWanted && kept === message;
    const images = await loadImages(imageUris, signal);
    const response = await agent.answer(userId, { message, images, memorizing }, signal);
    requireAnswer(response, 'the backend');
    onText(response);
    if (!memorizing) return { response, updates: [], note: isWanted ? PRIVATE : undefined };
    const note = 'the backend keeps what it finds worth keeping, and does not tell what that is';
    return { response, updates: [], isHandedOver: true, note };
  };
}
