import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answer } from '../calls/operations.ts';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';

/** What a prompt is built for. */
export interface PromptRequest {
  readonly persona: string;
  readonly question: string;
  /** Most tokens before the persona; that of the composition without it. */
  readonly maxTokens: number | undefined;
}

/** A prompt, why it is as it is, and what the one before it said. */
export interface BuiltPrompt {
  readonly prompt: string;
  /** What was asked, as the operation takes it. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly explanation: Answer<'explain_prompt'>;
  /** The lines of the prompt that was built before; undefined for the first one. */
  readonly before: readonly string[] | undefined;
}

/** Builds prompts for the user, and asks why each is as it is. */
export function usePrompt() {
  const { call } = useServer();
  const { user } = useUser();
  const [before, setBefore] = useState<readonly string[]>();
  return useMutation({
    mutationFn: async ({ persona, question, maxTokens }: PromptRequest): Promise<BuiltPrompt> => {
      const args = {
        persona_name: persona,
        user_id: user,
        user_query: question,
        ...(maxTokens !== undefined && { max_tokens: maxTokens }),
      };
      const { prompt, manifest } = await call('build_prompt_with_context', args);
      const hash = manifest?.hash ?? '';
      const explanation = await call('explain_prompt', { hash, user_id: user });
      return { prompt, args, explanation, before };
    },
    onSuccess: ({ explanation }) => setBefore(explanation.lines.map(({ text }) => text)),
  });
}
