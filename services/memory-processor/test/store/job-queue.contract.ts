import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Claim, Job, JobOutcome, JobQueue } from '../../src/domain/jobs/job-queue.ts';

/** A place where jobs are kept, which two processes may open. */
export interface JobSite {
  readonly open: () => Promise<JobQueue>;
  readonly remove: () => Promise<void>;
}

const LEASE_MS = 600_000;
const outcome: JobOutcome = {
  result: {
    message: 'Saved 1 memory.',
    extractor: { kind: 'rules', name: 'rules' },
    memories_extracted: 1,
    memories_saved: 1,
    memory_ids: ['m1'],
  },
  cost: { calls: 1, input_tokens: 10, output_tokens: 2 },
};

/** What every queue of jobs keeps to, whatever keeps it. */
export function describeJobQueue(name: string, toSite: () => Promise<JobSite>): void {
  describe(`jobs in ${name}`, () => {
    let site: JobSite;
    let queue: JobQueue;
    let other: JobQueue;
    let users = 0;
    let ann = '';
    let bob = '';

    beforeAll(async () => {
      site = await toSite();
      queue = await site.open();
      other = await site.open();
    }, 120_000);
    afterAll(async () => {
      await queue.close();
      await other.close();
      await site.remove();
    });

    /** Users of their own for each test, who leave nothing to be done. */
    async function withUsers(work: () => Promise<void>): Promise<void> {
      users += 1;
      ann = `ann-${users}`;
      bob = `bob-${users}`;
      await work();
      for (const user of [ann, bob])
        for (const { id } of await queue.list(user, { limit: 200 })) await queue.cancel(id, user);
    }
    const add = (userId: string, text = 'hello', idempotencyKey?: string): Promise<Job> =>
      queue.add({ id: randomUUID(), userId, kind: 'store', payload: { text }, idempotencyKey });
    const take = (from = queue, ms = LEASE_MS): Promise<Claim | undefined> => from.claim({ id: randomUUID(), ms });
    async function taken(from = queue, ms = LEASE_MS): Promise<Claim> {
      const claim = await take(from, ms);
      if (claim === undefined) throw new Error('nothing was due');
      return claim;
    }
    const stateOf = async (id: string): Promise<string | undefined> => (await queue.find(id, undefined))?.state;

    it('gives a job to one worker, with all that its work needs, and tells of it until it is done', () =>
      withUsers(async () => {
        const added = await add(ann, 'I moved to Leith. 我搬到利斯了。\u0000');
        expect(added).toMatchObject({ userId: ann, kind: 'store', state: 'queued', attempts: 0 });
        expect(added.progress).toEqual({ done: 0, total: 0 });
        const claim = await taken();
        expect(claim).toMatchObject({ id: added.id, userId: ann, attempts: 1 });
        expect(claim.payload).toEqual({ text: 'I moved to Leith. 我搬到利斯了。\u0000' });
        expect(await take(other)).toBeUndefined();
        expect(await queue.renew(claim, LEASE_MS, { done: 1, total: 3 })).toBe(true);
        expect(await other.find(added.id, ann)).toMatchObject({ state: 'running', progress: { done: 1, total: 3 } });
        await queue.settle(claim, { state: 'done', outcome });
        const done = await other.find(added.id, ann);
        expect(done).toMatchObject({ state: 'done', outcome, progress: { done: 3, total: 3 } });
        expect(done?.endedAt).toBeGreaterThanOrEqual(done?.startedAt ?? Number.NaN);
        expect(await take()).toBeUndefined();
      }));

    it("does a user's jobs one after the other in their order, and lets users take turns", () =>
      withUsers(async () => {
        const [first, second, third] = [await add(ann, '1'), await add(ann, '2'), await add(ann, '3')];
        const ofBob = await add(bob, 'b');
        const one = await taken();
        expect(one.id).toBe(first.id);
        // A second worker finds the other user's, not the next of the same.
        const two = await taken(other);
        expect(two.id).toBe(ofBob.id);
        expect(await take(other)).toBeUndefined();
        const alsoOfBob = await add(bob, 'b2');
        await queue.settle(two, { state: 'done', outcome });
        await queue.settle(one, { state: 'done', outcome });
        // The one whose last job began longer ago comes first, by a clock of milliseconds.
        await sleep(2);
        const three = await taken();
        expect(three.id).toBe(second.id);
        await queue.settle(three, { state: 'done', outcome });
        const four = await taken();
        expect(four.id).toBe(alsoOfBob.id);
        await queue.settle(four, { state: 'done', outcome });
        expect((await taken()).id).toBe(third.id);
      }));

    it('gives each job once, however many workers take at the same moment', () =>
      withUsers(async () => {
        const several = Array.from({ length: 12 }, (_, at) => `many-${users}-${at}`);
        for (const user of several) for (const text of ['1', '2']) await add(user, text);
        const seen: string[] = [];
        const perUser = new Map<string, number>();
        async function work(from: JobQueue): Promise<void> {
          for (;;) {
            const claim = await take(from);
            if (claim === undefined) {
              const counts = await from.count();
              if (counts.queued === 0) return;
              continue;
            }
            perUser.set(claim.userId, (perUser.get(claim.userId) ?? 0) + 1);
            expect(perUser.get(claim.userId)).toBe(1);
            seen.push(claim.id);
            await new Promise(setImmediate);
            perUser.set(claim.userId, 0);
            await from.settle(claim, { state: 'done', outcome });
          }
        }
        await Promise.all([queue, other, queue, other].map(work));
        expect(seen).toHaveLength(24);
        expect(new Set(seen).size).toBe(24);
      }));

    it('gives a job again whose worker is not heard of, and lets that worker change nothing more', () =>
      withUsers(async () => {
        const { id } = await add(ann);
        const lost = await taken(queue, 0);
        let again = await take(other);
        while (again === undefined) again = await take(other);
        expect(again).toMatchObject({ id, attempts: 2 });
        expect(await queue.renew(lost, LEASE_MS, { done: 9, total: 9 })).toBe(false);
        await queue.settle(lost, { state: 'dead', reason: 'from the past' });
        await queue.release(lost);
        expect(await queue.find(id, ann)).toMatchObject({ state: 'running', progress: { done: 0, total: 0 } });
        await other.settle(again, { state: 'done', outcome });
        expect(await stateOf(id)).toBe('done');
      }));

    it('gives the same job for the same key of the same user', () =>
      withUsers(async () => {
        const first = await add(ann, 'a', 'key');
        expect((await add(ann, 'a', 'key')).id).toBe(first.id);
        const [same] = await Promise.all([
          other.add({ id: randomUUID(), userId: ann, kind: 'store', payload: {}, idempotencyKey: 'key' }),
          add(ann, 'a', 'key'),
        ]);
        expect(same.id).toBe(first.id);
        expect((await add(bob, 'a', 'key')).id).not.toBe(first.id);
        expect((await add(ann, 'a', 'other')).id).not.toBe(first.id);
      }));

    it('waits before it gives a failed job again, unless somebody asks for it', () =>
      withUsers(async () => {
        const { id } = await add(ann);
        await queue.settle(await taken(), { state: 'failed', reason: 'no answer', retryInMs: LEASE_MS });
        expect(await queue.find(id, ann)).toMatchObject({ state: 'failed', reason: 'no answer', attempts: 1 });
        expect(await take()).toBeUndefined();
        expect(await queue.retry(id, bob)).toBeUndefined();
        expect(await queue.retry(id, ann)).toMatchObject({ state: 'queued', attempts: 0, reason: undefined });
        const claim = await taken();
        await queue.settle(claim, { state: 'failed', reason: 'no answer', retryInMs: 0 });
        let again = await take();
        while (again === undefined) again = await take();
        expect(again).toMatchObject({ id, attempts: 2, payload: { text: 'hello' } });
        await queue.settle(again, { state: 'dead', reason: 'unreadable', outcome });
        expect(await queue.find(id, ann)).toMatchObject({ state: 'dead', reason: 'unreadable', outcome });
        expect(await take()).toBeUndefined();
      }));

    it('takes a job back as if it had not been begun', () =>
      withUsers(async () => {
        const { id } = await add(ann);
        await queue.settle(await taken(), { state: 'queued' });
        expect(await queue.find(id, ann)).toMatchObject({ state: 'queued', attempts: 0 });
        expect((await taken()).attempts).toBe(1);
      }));

    it('lets a job wait for what it names without counting an attempt, unless somebody asks for it', () =>
      withUsers(async () => {
        const { id } = await add(ann);
        const waits = { reason: 'to be read', notBefore: Date.now() + LEASE_MS };
        await queue.settle(await taken(), { state: 'queued', waits: { ...waits, outcome } });
        const waiting = { state: 'queued', attempts: 0, reason: 'to be read', runAfter: waits.notBefore, outcome };
        expect(await other.find(id, ann)).toMatchObject(waiting);
        const also = await queue.add({ id: randomUUID(), userId: ann, kind: 'store', payload: {}, waits });
        expect(also).toMatchObject({ state: 'queued', reason: 'to be read', runAfter: waits.notBefore });
        expect(await other.countWaiting()).toBe(2);
        const next = await add(ann, 'a later one');
        const claim = await taken();
        expect(claim.id).toBe(next.id);
        expect(await take(other)).toBeUndefined();
        await queue.settle(claim, { state: 'queued', waits: { reason: 'to be read', notBefore: Date.now(), outcome } });
        let again = await take(other);
        expect(again).toBeUndefined();
        while (again === undefined) again = await take(other);
        expect(again).toMatchObject({ id: next.id, attempts: 1, before: outcome, payload: { text: 'a later one' } });
        await other.settle(again, { state: 'done', outcome });
        expect(await queue.retry(next.id, ann)).toBeUndefined();
        expect(await queue.retry(id, ann)).toMatchObject({ state: 'queued', reason: undefined });
        expect(await queue.countWaiting()).toBe(1);
        expect((await taken()).id).toBe(id);
      }));

    it('cancels what is not done, also under way', () =>
      withUsers(async () => {
        const [running, waiting] = [await add(ann), await add(ann)];
        const claim = await taken();
        expect(await queue.cancel(waiting.id, bob)).toBeUndefined();
        expect(await queue.cancel(waiting.id, ann)).toMatchObject({ state: 'cancelled' });
        expect(await queue.cancel(running.id, undefined)).toMatchObject({ state: 'cancelled' });
        expect(await queue.renew(claim, LEASE_MS, { done: 0, total: 1 })).toBe(false);
        await queue.settle(claim, { state: 'done', outcome });
        await queue.release(claim);
        expect(await stateOf(running.id)).toBe('cancelled');
        expect(await take()).toBeUndefined();
        expect(await queue.retry(waiting.id, ann)).toMatchObject({ state: 'queued' });
        const last = await taken();
        expect(last.payload).toEqual({ text: 'hello' });
        await queue.settle(last, { state: 'done', outcome });
        expect(await queue.cancel(waiting.id, ann)).toBeUndefined();
        expect(await queue.retry(waiting.id, ann)).toBeUndefined();
      }));

    it("lists a user's jobs newest first, and counts those of all", () =>
      withUsers(async () => {
        const before = await queue.count();
        const [first, second] = [await add(ann), await add(ann)];
        await add(bob);
        await queue.cancel(first.id, ann);
        const ids = async (state?: 'cancelled', limit = 10) =>
          (await other.list(ann, { state, limit })).map(({ id }) => id);
        expect(await ids()).toEqual([second.id, first.id]);
        expect(await ids(undefined, 1)).toEqual([second.id]);
        expect(await ids('cancelled')).toEqual([first.id]);
        expect(await queue.find(first.id, bob)).toBeUndefined();
        const counts = await queue.count();
        expect(counts.queued - before.queued).toBe(2);
        expect(counts.cancelled - before.cancelled).toBe(1);
      }));

    it('removes what was done long ago, and nothing that is waiting or dead', () =>
      withUsers(async () => {
        const [done, dead] = [await add(ann), await add(ann)];
        await queue.settle(await taken(), { state: 'done', outcome });
        await queue.settle(await taken(), { state: 'dead', reason: 'unreadable' });
        const waiting = await add(ann);
        await queue.purge(LEASE_MS);
        expect(await stateOf(done.id)).toBe('done');
        await queue.purge(-LEASE_MS);
        expect([await stateOf(done.id), await stateOf(dead.id), await stateOf(waiting.id)]).toEqual([
          undefined,
          'dead',
          'queued',
        ]);
      }));

    it('forgets a user with all jobs, those too that are under way, and nobody else', () =>
      withUsers(async () => {
        await add(ann);
        const claim = await taken();
        await add(ann, 'secret');
        const ofBob = await add(bob);
        expect(await queue.forget(ann, true)).toEqual({ erased: [{ what: 'jobs', count: 2 }], unreached: [] });
        expect(await queue.list(ann, { limit: 9 })).toHaveLength(2);
        const forgetting = queue.forget(ann, false);
        // Its worker learns of it, and lets go.
        while (await other.renew(claim, LEASE_MS, { done: 0, total: 1 }));
        await other.release(claim);
        expect(await forgetting).toEqual({ erased: [{ what: 'jobs', count: 2 }], unreached: [] });
        expect(await queue.list(ann, { limit: 9 })).toEqual([]);
        expect(await stateOf(ofBob.id)).toBe('queued');
      }));
  });
}
