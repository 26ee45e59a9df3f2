/** From this cosine on, two memories may be about one subject: for the vectors of real encoders. */
export const SAME_SUBJECT = 0.85;

/**
 * For vectors that compare words: "The API is built with Fastify …" and "We moved the API from Fastify to Hono …" have a cosine of
 * .29. Source: bench/same-subject.mjs; of changed decisions 23 of 24 in English and 22 of 24 in Chinese reach it, and none .85; of
 * unrelated notes, 1 of 48 does.
 */
const SAME_SUBJECT_IN_WORDS = 0.25;

/** From which cosine of an embedding provider on a stored memory is put to the model, or offered as a candidate. */
export const toSameSubject = (provider: string): number =>
  provider === 'lexical' ? SAME_SUBJECT_IN_WORDS : SAME_SUBJECT;
