import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A LoCoMo file of several conversations, each of `windows` windows. */
export async function writeConversations(
  folder: string,
  name: string,
  count: number,
  windows: number,
): Promise<string> {
  const samples = Array.from({ length: count }, (_, sample) => ({
    sample_id: `${name}-${sample}`,
    conversation: {
      session_1_date_time: '1:56 pm on 8 May, 2023',
      session_1: Array.from({ length: windows * 6 }, (_turn, index) => ({
        speaker: 'Anna',
        dia_id: `D1:${index + 1}`,
        text: `I saw film number ${index} of series ${sample}.`,
      })),
    },
  }));
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(samples));
  return file;
}
