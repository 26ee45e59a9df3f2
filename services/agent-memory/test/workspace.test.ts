import { describe, expect, it } from '@jest/globals';
import { checkWorkspace } from './workspace-property.ts';

describe('a workspace that tools and a person change in turns', () => {
  it('keeps ids and every byte of the person, and its index follows', async () => {
    await checkWorkspace(10);
    expect.hasAssertions();
  });
});
