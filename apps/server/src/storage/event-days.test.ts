import { describe, expect, it } from 'vitest';
import { author, useDatabase } from '#testing/database.ts';
import { eventsByDay, eventsOfProject } from './event-days.ts';

describe('a change', () => {
  const given = useDatabase();

  it('keeps a sum of the events of each project and environment by the day of their time', async () => {
    const { database, clock } = given();
    const dayMs = 24 * 60 * 60 * 1000;
    const record = (project: string, environment?: string) =>
      database.write(author, async (tx) => {
        tx.record({ type: 'feature-created', project });
        tx.record({ type: 'feature-environment-enabled', project, environment: environment ?? null });
      });
    const sums = async () => {
      const rows = await database.db.selectFrom('event_days').selectAll().execute();
      return rows.map(({ scope, name, day, total }) => `${scope} ${name} ${day / dayMs} ${total}`).toSorted();
    };
    const before = await sums();
    clock.advance(2 * dayMs - (clock.now() % dayMs));
    const today = clock.now() / dayMs;
    await Promise.all([record('d1', 'e1'), record('d1', 'e2'), record('d2')]);
    // The clock goes back, as if another machine whose clock is behind recorded the event: the event gets the last time
    // of the log.
    clock.set(-1);
    await record('d1', 'e1');
    clock.advance(1 + dayMs);
    await record('d1', 'e1');
    expect((await sums()).filter((sum) => !before.includes(sum))).toEqual(
      [
        `environment e1 ${today + 1} 1`,
        `environment e1 ${today} 2`,
        `environment e2 ${today} 1`,
        `project d1 ${today + 1} 2`,
        `project d1 ${today} 6`,
        `project d2 ${today} 2`,
      ].toSorted(),
    );
  });

  it('is counted among the last days of its project, and in the as many days before', async () => {
    const { database, clock } = given();
    const dayMs = 24 * 60 * 60 * 1000;
    clock.advance(10 * dayMs - (clock.now() % dayMs));
    const first = clock.now();
    const record = async (events: number) =>
      database.write(author, async (tx) => {
        for (let event = 0; event < events; event++) tx.record({ type: 'feature-created', project: 'counted' });
      });
    for (const events of [1, 2, 4, 8]) {
      await record(events);
      clock.advance(dayMs);
    }
    const now = first + 3 * dayMs + 1;
    expect(await eventsOfProject(database.db, 'counted', 2, now)).toEqual({ current: 12, past: 3 });
    expect(await eventsOfProject(database.db, 'counted', 1, now)).toEqual({ current: 8, past: 4 });
    expect(await eventsOfProject(database.db, 'of no event', 2, now)).toEqual({ current: 0, past: 0 });
    expect(await eventsByDay(database.db, 'counted', 3, now)).toEqual([
      { day: first + dayMs, total: 2 },
      { day: first + 2 * dayMs, total: 4 },
      { day: first + 3 * dayMs, total: 8 },
    ]);
  });

  it('keeps the sums of a change whose events are of more than a thousand projects', async () => {
    const { database } = given();
    const projects = Array.from({ length: 1100 }, (_, index) => `of-many-${index}`);
    await database.write(author, async (tx) => {
      for (const project of projects) tx.record({ type: 'feature-created', project });
    });
    const rows = await database.db
      .selectFrom('event_days')
      .select(['name', 'total'])
      .where('name', 'like', 'of-many-%')
      .execute();
    expect(rows).toHaveLength(1100);
    expect(rows.filter(({ total }) => total !== 1)).toEqual([]);
  });
});
